/** Striping policies, chosen by value. */
module io.railflux.policies {
  requires transitive io.railflux.core;

  exports io.railflux.policies.striping;
}
