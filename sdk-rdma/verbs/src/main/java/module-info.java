/** RDMA network cards straight through libibverbs. */
module io.railflux.rdma.verbs {
  requires transitive io.railflux.core;
}
