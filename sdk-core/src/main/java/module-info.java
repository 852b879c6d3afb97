/** Typed reactive streams between processes, over shared memory and TCP. */
// The lab is built after this module.
@SuppressWarnings("module")
module io.railflux.core {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires transitive io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires static micrometer.core;
  requires jdk.net;
  requires jdk.unsupported;
  requires org.slf4j;

  exports io.railflux;
  exports io.railflux.buffer;
  exports io.railflux.exceptions;
  exports io.railflux.fabric;
  exports io.railflux.fabric.faults;
  exports io.railflux.fabric.shm;
  exports io.railflux.fabric.sim;
  exports io.railflux.fabric.tcp;
  exports io.railflux.message;
  exports io.railflux.metrics;
  exports io.railflux.pipeline;
  exports io.railflux.policy;
  exports io.railflux.security;
  exports io.railflux.wire;

  // The simulator drives engines without threads.
  exports io.railflux.engine to
      io.railflux.lab;
  exports io.railflux.crypto to
      io.railflux.lab;
}
