package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** Streams to one peer, all of them always ready to send. */
final class Streams implements Measurement {

  static final String CURVE = "streams";

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
      told.accept(Figure.base(CURVE, 1, bundle.perSecond(1, Order.Slow.NONE), Tally.UNIT));
      if (count > 1) {
        told.accept(Figure.of(CURVE, count, bundle.perSecond(count, Order.Slow.NONE), Tally.UNIT));
      }
    }
  }
}
