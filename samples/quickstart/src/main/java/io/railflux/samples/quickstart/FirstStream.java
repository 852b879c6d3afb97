package io.railflux.samples.quickstart;

// tag::first-stream[]
import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.util.List;
import reactor.core.publisher.Flux;

/** A Flux here becomes the same Flux in another node. */
final class FirstStream {

  record Trade(long id, double price, int quantity) {}

  static final Codec<Trade> TRADE = Codecs.record(Trade.class);

  static List<Trade> run(String address) {
    Node exchange = Railflux.create().name("exchange").start().block();
    Node desk = Railflux.create().name("desk").start().block();
    try {
      exchange.bind(address).block();
      exchange.peers().flatMap(peer -> peer.send("trades", TRADE, trades())).subscribe();

      Peer peer = desk.connect(address).block();
      return peer.receive("trades", TRADE).collectList().block();
    } finally {
      desk.close().then(exchange.close()).block();
    }
  }

  static Flux<Trade> trades() {
    return Flux.range(1, 1_000).map(i -> new Trade(i, 100 + i / 8.0, 10));
  }
  // end::first-stream[]

  private FirstStream() {}

  public static void main(String[] args) {
    List<Trade> trades = run("shm:first-stream");
    System.out.println(trades.size() + " trades, the last one is " + trades.get(999));
  }
}
