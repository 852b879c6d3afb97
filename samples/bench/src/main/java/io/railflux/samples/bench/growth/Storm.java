package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** Nodes that connect to the hub at the same moment. */
final class Storm implements Measurement {

  private static final int[] COUNTS = {8, 64, 256, 512};

  private final Session session;

  Storm(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> told) {
    for (int count : session.plan().points(COUNTS)) {
      Order.Crossing crossing =
          session.order(Order.of(Order.Task.STORM, session.nextRound(), count)).crossing();
      if (crossing.failed() > 0) {
        session.say("failed of " + count + ": " + session.trouble());
      }
      told.accept(Figure.of("storm, until all are there", count, crossing.allMillis(), "ms"));
      told.accept(Figure.of("storm, failed", count, crossing.failed(), "nodes"));
      told.accept(Figure.of("storm, connect p50", count, crossing.p50Millis(), "ms"));
      told.accept(Figure.of("storm, connect p99", count, crossing.p99Millis(), "ms"));
      told.accept(Figure.of("storm, connect max", count, crossing.maxMillis(), "ms"));
      session.order(Order.of(Order.Task.DISCONNECT, 0, 0));
    }
  }
}
