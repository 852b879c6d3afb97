package io.railflux.samples.bench.growth;

import java.util.List;
import java.util.function.Consumer;

/** Nodes that connect to the hub at the same moment. */
final class Storm implements Measurement {

  static final String MILLIS = "ms";

  private static final String ALL = "storm, until all are connected";
  private static final String P50 = "storm, connect p50";
  private static final String P99 = "storm, connect p99";
  private static final String MAX = "storm, connect max";

  /** The curves in {@link #MILLIS}. */
  static final List<String> TIMES = List.of(ALL, P50, P99, MAX);

  private static final int[] COUNTS = {8, 64, 256, 512};

  private final Session session;

  Storm(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    for (int count : session.plan().points(COUNTS)) {
      Order.Crossing crossing =
          session.order(Order.of(Order.Task.STORM, session.nextRound(), count)).crossing();
      if (crossing.failed() > 0) {
        session.say("failed of " + count + ": " + session.trouble());
      }
      figures.accept(Figure.of(ALL, count, crossing.allMillis(), MILLIS));
      figures.accept(Figure.of("storm, failed", count, crossing.failed(), "nodes"));
      figures.accept(Figure.of(P50, count, crossing.p50Millis(), MILLIS));
      figures.accept(Figure.of(P99, count, crossing.p99Millis(), MILLIS));
      figures.accept(Figure.of(MAX, count, crossing.maxMillis(), MILLIS));
      session.order(Order.of(Order.Task.DISCONNECT, 0, 0));
    }
  }
}
