package io.railflux.samples.quickstart;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Several addresses of one node become rails of one peer; a stream uses all of them, in order. */
final class TwoRails {

  static final int RING_BYTES = 4 << 20;

  private TwoRails() {}

  // tag::rails[]
  static Mono<Peer> connect(Node node, String first, String second) {
    return node.connect(first + "," + second);
  }
  // end::rails[]

  /** Received values, and the bytes of all rings of the sender. */
  record Result(List<Integer> received, double ringBytes) {}

  static Result run(String first, String second, int messages) {
    MeterRegistry registry = new SimpleMeterRegistry();
    Node server = Railflux.create().name("server").ringBytes(RING_BYTES).start().block();
    Node client =
        Railflux.create().name("client").meterRegistry(registry).start().block();
    try {
      server.bind(first).then(server.bind(second)).block();
      Peer peer = connect(client, first, second).block();
      double ringBytes = bothRings(registry);
      Peer toClient = server.peers().blockFirst(TwoNodes.PATIENCE);
      peer.send("n", Codecs.int32(), Flux.range(0, messages)).subscribe();
      return new Result(
          toClient.receive("n", Codecs.int32()).collectList().block(TwoNodes.PATIENCE), ringBytes);
    } finally {
      client.close().then(server.close()).block(TwoNodes.PATIENCE);
    }
  }

  /** Returns the bytes of both rings. The second rail joins shortly after the first. */
  private static double bothRings(MeterRegistry registry) {
    Gauge credit = registry.get(RailfluxMeter.CREDIT.meterName()).gauge();
    return Flux.interval(Duration.ofMillis(1))
        .map(tick -> credit.value())
        .filter(bytes -> bytes > RING_BYTES)
        .blockFirst(TwoNodes.PATIENCE);
  }

  public static void main(String[] args) {
    Result result = run("shm:rail-a", "shm:rail-b", 10_000);
    System.out.println(
        result.received().size() + " messages over " + result.ringBytes() + " bytes of rings");
  }
}
