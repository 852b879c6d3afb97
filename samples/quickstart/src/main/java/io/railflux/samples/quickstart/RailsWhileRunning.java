package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailEvent;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rails join and leave during a running stream. */
final class RailsWhileRunning {

  private RailsWhileRunning() {}

  // tag::change[]
  static Mono<Void> exchange(Peer peer, String newRail, String oldRail) {
    return peer.addRail(newRail)
        .then(peer.striping(StripingPolicy.roundRobin()))
        .then(peer.removeRail(oldRail));
  }
  // end::change[]

  // tag::watch[]
  static Disposable watch(Peer peer, List<RailEvent> seen) {
    return peer.railEvents().subscribe(seen::add);
  }
  // end::watch[]

  /** Received values, and events of rails meanwhile. */
  record Result(List<Integer> received, List<RailEvent> events) {}

  static Result run(int messages) {
    Railflux config = Railflux.create().fabrics(new TcpFabricProvider());
    Node server = config.name("server").start().block();
    Node client = config.name("client").start().block();
    List<RailEvent> events = new CopyOnWriteArrayList<>();
    try {
      String first = server.bind("tcp:127.0.0.1:0").block();
      String second = server.bind("tcp:127.0.0.2:0").block();
      Peer peer = client.connect(first).block();
      watch(peer, events);
      Peer toClient = server.peers().blockFirst(TwoNodes.PATIENCE);
      peer.send("n", Codecs.int32(), Flux.range(0, messages)).subscribe();
      List<Integer> received = toClient
          .receive("n", Codecs.int32())
          .doOnNext(number -> {
            if (number == messages / 2) {
              exchange(peer, second, first).subscribe();
            }
          })
          .collectList()
          .block(TwoNodes.PATIENCE);
      return new Result(received, events);
    } finally {
      client.close().then(server.close()).block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    run(1_000_000).events().forEach(System.out::println);
  }
}
