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

/** The environment of an experiment on the near host. */
final class Lab {

  private final Plan plan;
  private final Consumer<String> progress;
  private Order.Tally tally = Order.Tally.NONE;

  /**
   * @param progress receives lines for the user
   */
  Lab(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
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

  /**
   * @param striping null for the default
   */
  Line open(Supplier<StripingPolicy> striping, int... rails) {
    return open(node -> striping == null ? node : node.striping(striping), rails);
  }

  /**
   * @param with further configuration of the near node
   */
  Line open(UnaryOperator<Railflux> with, int... rails) {
    return Line.open(plan.network(), with, this::count, rails);
  }

  /** Adds the tally of an ended stream. */
  void count(Order.Tally came) {
    tally = tally.plus(came);
  }

  /** Returns the outcome with the tally of all streams and requests so far. */
  Outcome outcome(String unit, List<Double> values) {
    return Outcome.of(experiment(), unit, values, tally);
  }

  void say(String line) {
    progress.accept(line);
  }

  /** Returns one value per run. The first run is a warm-up and is not counted. */
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
