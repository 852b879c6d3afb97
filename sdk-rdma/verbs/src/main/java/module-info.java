/** RDMA network cards through libibverbs. */
module io.railflux.rdma.verbs {
  requires transitive io.railflux.core;

  exports io.railflux.fabric.verbs;

  provides io.railflux.fabric.FabricProvider with
      io.railflux.fabric.verbs.VerbsFabricProvider;
}
