package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** The cost of a message in one direction, by size, from a cache line to a thousand times the second-level cache. */
final class Sizes implements Measurement {

  static final String CURVE = "size";

  private static final int LARGEST = 64 << 20;
  private static final double NANOS = 1e9;

  private final Session session;

  Sizes(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    OneWay oneWay = new OneWay(session);
    oneWay.warmUp();
    for (int sizeBytes : session.plan().powersOfFour(Traffic.SMALL_BYTES, LARGEST)) {
      double perSecond = oneWay.perSecond(sizeBytes);
      figures.accept(Figure.of(CURVE, sizeBytes, NANOS / perSecond, "ns"));
      figures.accept(Figure.of(CURVE, sizeBytes, perSecond * sizeBytes, "B/s"));
    }
  }
}
