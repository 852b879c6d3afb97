package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Prints the measurement as text or as one line of JSON. */
final class Report {

  private final PrintWriter out;
  private final boolean json;

  Report(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void begin(Plan plan) {
    say(String.format(
        "%s over %s, %d B, %s, %d s in %d rounds%s",
        plan.workload(),
        plan.fabric(),
        plan.sizeBytes(),
        plan.work(),
        plan.seconds(),
        plan.rounds(),
        plan.raw() ? ", each alternating with its baseline" : ""));
  }

  void rounds(Rounds rounds, boolean roundTrip) {
    ToDoubleFunction<Sample> figure =
        roundTrip ? sample -> sample.medianNanos() / 1e3 : Sample::perSecond;
    String unit = roundTrip ? "p50 µs" : "messages/s";
    say(labelled("railflux", rounds.ours, figure) + " " + unit);
    for (Baseline baseline : rounds.baselines()) {
      say(labelled(baseline.name(), rounds.of(baseline), figure) + " " + unit);
    }
  }

  private static String labelled(
      String label, List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return samples.stream()
        .map(sample -> String.format("%,.2f", figure.applyAsDouble(sample)))
        .collect(Collectors.joining("  ", String.format("%-21s ", label), ""));
  }

  void result(PerfResult result) {
    if (json) {
      out.println(Json.line(result));
      out.flush();
      return;
    }
    fields(result);
  }

  void cold(ColdResult result) {
    if (json) {
      out.println(Json.line(result));
      out.flush();
      return;
    }
    result.lines().forEach(this::say);
  }

  /** Reports that a signal ended the command. */
  void interrupted(PartialResult result) {
    if (json) {
      out.println(Json.line(result));
      out.flush();
      return;
    }
    say("interrupted after " + result.roundsMeasured() + " of " + result.rounds() + " rounds"
        + (result.roundsMeasured() == 0 ? ", nothing was measured" : "; so far:"));
    if (result.roundsMeasured() > 0) {
      fields(result);
    }
  }

  private void fields(Record result) {
    for (var field : result.getClass().getRecordComponents()) {
      try {
        Object value = field.getAccessor().invoke(result);
        if (value instanceof Record nested) {
          fields(nested);
        } else if (value != null) {
          say(String.format("  %-26s %s", field.getName(), value));
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  void say(String line) {
    if (!json) {
      out.println(line);
      out.flush();
    }
  }
}
