package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** What a message costs one way, from a cache line to a thousand times the second-level cache. */
final class Sizes implements Measurement {

  static final String CURVE = "size";

  private static final int LARGEST = 64 << 20;
  private static final double NANOS = 1e9;

  private final Session session;

  Sizes(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> told) {
    OneWay oneWay = new OneWay(session);
    oneWay.warmUp();
    for (int sizeBytes : session.plan().powersOfFour(Traffic.SMALL_BYTES, LARGEST)) {
      double perSecond = oneWay.perSecond(sizeBytes);
      told.accept(Figure.of(CURVE, sizeBytes, NANOS / perSecond, "ns"));
      told.accept(Figure.of(CURVE, sizeBytes, perSecond * sizeBytes, "B/s"));
    }
  }
}
