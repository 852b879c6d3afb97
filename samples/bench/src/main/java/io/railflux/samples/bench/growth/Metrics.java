package io.railflux.samples.bench.growth;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.Node;
import io.railflux.Railflux;
import java.util.function.Consumer;

/** One stream with and without Micrometer's meters bound on both sides, in alternation. */
final class Metrics implements Measurement {

  static final String PLAIN = "plain";
  static final String METERED = "metered";

  private final Session session;

  Metrics(Session session) {
    this.session = session;
  }

  static Node node(String fabric, String name, boolean metered) {
    Railflux config = Plan.node(fabric, name);
    return (metered ? config.meterRegistry(new SimpleMeterRegistry()) : config)
        .start()
        .block();
  }

  @Override
  public void run(Consumer<Figure> figures) {
    OneWay oneWay = new OneWay(session);
    oneWay.warmUp();
    double perSecond = oneWay.perSecond(Traffic.SMALL_BYTES);
    figures.accept(
        session.plan().part().equals(PLAIN)
            ? Figure.base("meters bound", 0, perSecond, Tally.UNIT)
            : Figure.of("meters bound", 1, perSecond, Tally.UNIT));
  }
}
