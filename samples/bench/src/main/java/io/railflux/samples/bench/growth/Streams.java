package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** Streams to one peer, all of which always have messages to send. */
final class Streams implements Measurement {

  static final String CURVE = "streams";

  private static final int[] COUNTS = {1, 10, 100, 1_000, 10_000};

  private final Session session;

  Streams(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    new OneWay(session).warmUp();
    Bundle bundle = new Bundle(session);
    for (int count : session.plan().points(COUNTS)) {
      figures.accept(Figure.base(CURVE, 1, bundle.perSecond(1, Order.Slow.NONE), Tally.UNIT));
      if (count > 1) {
        figures.accept(
            Figure.of(CURVE, count, bundle.perSecond(count, Order.Slow.NONE), Tally.UNIT));
      }
    }
  }
}
