package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** Fast streams together with streams to the same peer whose subscribers request little or nothing. */
final class SlowOnes implements Measurement {

  static final String PACED = "fast beside slow";
  static final String STALLED = "fast beside stalled";

  private static final int STREAMS = 100;
  private static final int[] PERCENT = {0, 10, 50, 90, 99};
  private static final int PER_SECOND = 1_000;

  private final Session session;

  SlowOnes(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    new OneWay(session).warmUp();
    Bundle bundle = new Bundle(session);
    for (int percent : session.plan().points(PERCENT)) {
      measure(bundle, PACED, percent, PER_SECOND, figures);
      measure(bundle, STALLED, percent, 0, figures);
    }
  }

  private static void measure(
      Bundle bundle, String curve, int percent, int perSecond, Consumer<Figure> figures) {
    figures.accept(Figure.base(curve, 0, bundle.perSecond(STREAMS, Order.Slow.NONE), Tally.UNIT));
    if (percent > 0) {
      double fast = bundle.perSecond(STREAMS, new Order.Slow(STREAMS * percent / 100, perSecond));
      figures.accept(Figure.of(curve, percent, fast, Tally.UNIT));
    }
  }
}
