/** Typed reactive streams between processes, over shared memory and TCP. */
module io.railflux.core {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires static micrometer.core;
  requires jdk.net;
  requires org.slf4j;
}
