package io.railflux.samples.quickstart;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Flux;

/** Two kinds of typed messages: records for convenience, flyweights without allocation. */
final class RecordsAndFlyweights {

  // tag::records[]
  enum Side {
    BUY,
    SELL
  }

  record Instrument(int exchange, long id) {}

  record Order(
      Instrument instrument, Side side, BigDecimal limit, Instant placed, Optional<String> note) {}

  static final Codec<Order> ORDER = Codecs.record(Order.class);
  // end::records[]

  private RecordsAndFlyweights() {}

  static List<Order> records(String address) {
    Order order = new Order(
        new Instrument(7, 42),
        Side.BUY,
        new BigDecimal("10.5"),
        Instant.EPOCH,
        Optional.of("soon"));
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      nodes.toClient().send("orders", ORDER, Flux.just(order)).subscribe();
      return nodes.toServer().receive("orders", ORDER).collectList().block(TwoNodes.PATIENCE);
    }
  }

  /** Returns the sum of a thousand prices without an object per message. */
  static double flyweights(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      nodes.toClient().send("quotes", Quote.CODEC, quotes(1_000)).subscribe();
      return nodes
          .toServer()
          .receive("quotes", Quote.CODEC)
          // Read before onNext returns: the view then shows another quote.
          .reduce(0.0, (sum, quote) -> sum + quote.price())
          .block(TwoNodes.PATIENCE);
    }
  }

  // tag::reused-flyweight[]
  /** One quote for all messages: the engine requests the next number when it has encoded this one. */
  static Flux<Quote> quotes(int count) {
    Quote quote = new Quote();
    quote.wrap(ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN), 0, 16);
    return Flux.range(0, count).map(i -> quote.set(i, i / 2.0));
  }
  // end::reused-flyweight[]

  public static void main(String[] args) {
    System.out.println(ORDER.name() + ": " + records("shm:records"));
    System.out.println(flyweights("shm:flyweights"));
  }
}
