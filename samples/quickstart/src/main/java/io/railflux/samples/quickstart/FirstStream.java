package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.Remote;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.util.List;
import reactor.core.publisher.Flux;

// tag::first-stream[]
/** A Flux of one process becomes the same Flux in others. */
final class FirstStream {

  record Trade(long id, double price, int quantity) {}

  static final Codec<Trade> TRADE = Codecs.record(Trade.class);

  /** The first process. A node's threads are daemons, so it waits until the node is closed. */
  static void exchange(String address) throws InterruptedException {
    Node exchange = Railflux.create().name("exchange").start().block();
    Flux<Trade> trades = Flux.range(1, 1_000).map(i -> new Trade(i, 100 + i / 8.0, 10));
    // Each desk that receives the stream has a subscription of its own.
    exchange.publish("trades", TRADE, desk -> trades);
    System.out.println("listening at " + exchange.bind(address).block());
    exchange.awaitClose();
  }

  /** Any other process, started before or after the first one. */
  static List<Trade> desk(String address) {
    Node desk = Railflux.create().name("desk").start().block();
    try {
      Remote exchange = desk.remote(address);
      return exchange.receive("trades", TRADE).collectList().block();
    } finally {
      desk.close().block();
    }
  }
  // end::first-stream[]

  private FirstStream() {}

  /**
   * Runs one side of the exchange.
   *
   * @param args {@code exchange} or {@code desk}, and the address
   * @throws InterruptedException if the exchange is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("exchange")) {
      exchange(args[1]);
    } else {
      List<Trade> trades = desk(args[1]);
      System.out.println(trades.size() + " trades, the last one is " + trades.get(999));
    }
  }
}
