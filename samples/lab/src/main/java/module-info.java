/** Experiments on the deterministic simulator. */
module io.railflux.lab {
  requires transitive io.railflux.core;
  requires io.railflux.policies;

  exports io.railflux.lab;
}
