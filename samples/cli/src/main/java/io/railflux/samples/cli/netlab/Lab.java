package io.railflux.samples.cli.netlab;

import io.railflux.Railflux;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** What an experiment works with, on the near host. */
final class Lab {

  private final Plan plan;
  private final Consumer<String> said;
  private Order.Tally tally = Order.Tally.NONE;

  /** @param said gets what people should know */
  Lab(Plan plan, Consumer<String> said) {
    this.plan = plan;
    this.said = said;
  }

  Experiment experiment() {
    return plan.experiment();
  }

  Duration measured() {
    return plan.measured();
  }

  int runs() {
    return plan.runs();
  }

  Cable cable(int rail) {
    return plan.hosts().cable(rail);
  }

  int[] allRails() {
    return IntStream.range(0, experiment().rails()).toArray();
  }

  Line open(int... rails) {
    return open(UnaryOperator.identity(), rails);
  }

  /** @param striping null for the default */
  Line open(Supplier<StripingPolicy> striping, int... rails) {
    return open(node -> striping == null ? node : node.striping(striping), rails);
  }

  /** @param with what the near node is to have otherwise */
  Line open(UnaryOperator<Railflux> with, int... rails) {
    return Line.open(plan.network(), with, this::count, rails);
  }

  /** What came of something that is over. */
  void count(Order.Tally came) {
    tally = tally.plus(came);
  }

  /** With what came of all streams and requests so far. */
  Outcome outcome(String unit, List<Double> values) {
    return Outcome.of(experiment(), unit, values, tally);
  }

  void say(String line) {
    said.accept(line);
  }

  /** One figure of each run, after one that is not counted: what it is the first to do is compiled then. */
  List<Double> repeat(DoubleSupplier run) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i <= runs(); i++) {
      double value = run.getAsDouble();
      say("run %d of %d: %.4g".formatted(i, runs(), value));
      if (i > 0) {
        values.add(value);
      }
    }
    return values;
  }
}
