package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sends at set times by timers of the node, so that no other thread wakes up. */
final class AtIntervals {

  private AtIntervals() {}

  // tag::report[]
  static Mono<Void> report(Node node, Peer peer, Duration every) {
    Flux<Long> ticks = Flux.interval(every, node.scheduler()).onBackpressureDrop();
    return peer.send("uptime", Codecs.int64(), ticks.take(20));
  }
  // end::report[]

  static List<Long> run() {
    Railflux config = Railflux.create();
    Node server = config.name("server").start().block();
    Node client = config.name("client").start().block();
    try {
      Peer peer = client.connect(server.bind("shm:uptime").block()).block();
      Peer toClient = server.peers().blockFirst(TwoNodes.PATIENCE);
      Mono<List<Long>> received = toClient.receive("uptime", Codecs.int64()).collectList();
      Mono<Void> sent = report(client, peer, Duration.ofMillis(10));
      return received.zipWith(sent.thenReturn(true)).block(TwoNodes.PATIENCE).getT1();
    } finally {
      client.close().then(server.close()).block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(run());
  }
}
