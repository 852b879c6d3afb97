/** Typed reactive streams between processes, over shared memory and TCP. */
// Modules named by qualified exports are built after this one.
@SuppressWarnings("module")
module io.railflux.core {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires static micrometer.core;
  requires java.management;
  requires jdk.management;
  requires jdk.net;
  requires jdk.unsupported;
  requires static transitive org.jspecify;
  requires org.slf4j;

  // What users call.
  exports io.railflux;
  exports io.railflux.exceptions;
  exports io.railflux.message;
  exports io.railflux.metrics;
  exports io.railflux.policy;
  exports io.railflux.security;

  // What users implement to bring a network of their own.
  exports io.railflux.fabric;

  // The providers that Railflux.fabrics takes; faults and sim are for users' tests.
  exports io.railflux.fabric.faults;
  exports io.railflux.fabric.shm;
  exports io.railflux.fabric.sim;
  exports io.railflux.fabric.tcp;

  // The RDMA modules share the life cycle of endpoints with the fabrics here.
  exports io.railflux.fabric.base to
      io.railflux.rdma.disni,
      io.railflux.rdma.verbs;

  // The lab drives engines without threads.
  exports io.railflux.buffer to
      io.railflux.lab;
  exports io.railflux.crypto to
      io.railflux.lab;
  exports io.railflux.engine to
      io.railflux.lab;
  exports io.railflux.engine.base to
      io.railflux.lab;
  exports io.railflux.engine.connect to
      io.railflux.lab;
  exports io.railflux.engine.path to
      io.railflux.lab;
  exports io.railflux.engine.session to
      io.railflux.lab;
  exports io.railflux.engine.stream to
      io.railflux.lab;
  exports io.railflux.fabric.sim.events to
      io.railflux.lab;
  exports io.railflux.pipeline to
      io.railflux.lab;
  exports io.railflux.wire to
      io.railflux.lab;
}
