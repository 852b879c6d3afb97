package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** Streams to one peer, all of them always ready to send. */
final class Streams implements Measurement {

  private static final int[] COUNTS = {1, 10, 100, 1_000, 10_000};

  private final Session session;

  Streams(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> told) {
    new OneWay(session).warmUp();
    Bundle bundle = new Bundle(session);
    for (int count : session.plan().points(COUNTS)) {
      told.accept(Figure.base("streams", 1, bundle.perSecond(1, Order.Slow.NONE), "messages/s"));
      if (count > 1) {
        told.accept(
            Figure.of("streams", count, bundle.perSecond(count, Order.Slow.NONE), "messages/s"));
      }
    }
  }
}
