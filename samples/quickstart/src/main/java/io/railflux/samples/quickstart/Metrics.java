package io.railflux.samples.quickstart;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import reactor.core.publisher.Flux;

/** A node publishes its meters to any Micrometer registry. */
final class Metrics {

  private Metrics() {}

  // tag::registry[]
  static Node metered(MeterRegistry registry) {
    return Railflux.create().name("metered").meterRegistry(registry).start().block();
  }
  // end::registry[]

  // tag::read[]
  static double sent(MeterRegistry registry, String peer) {
    FunctionCounter sent = registry
        .get(RailfluxMeter.MESSAGES_SENT.meterName())
        .tags("node", "metered", "peer", peer, "fabric", "shm")
        .functionCounter();
    return sent.count();
  }
  // end::read[]

  /** Returns the value of the meter after a thousand messages. */
  static double run(String address) {
    MeterRegistry registry = new SimpleMeterRegistry();
    Node server = metered(registry);
    Node client = Railflux.create().name("reader").start().block();
    try {
      server.bind(address).block();
      client.connect(address).block().receive("n", Codecs.int32()).subscribe();
      server
          .peers()
          .take(1)
          .flatMap(peer -> peer.send("n", Codecs.int32(), Flux.range(1, 1_000)))
          .blockLast(TwoNodes.PATIENCE);
      return sent(registry, "reader");
    } finally {
      client.close().then(server.close()).block();
    }
  }

  public static void main(String[] args) {
    System.out.println(run("shm:metrics") + " messages sent");
  }
}
