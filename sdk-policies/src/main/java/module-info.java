/** Striping and channel policies, chosen by value. */
module io.railflux.policies {
  requires transitive io.railflux.core;

  exports io.railflux.policies.channels;
  exports io.railflux.policies.striping;
}
