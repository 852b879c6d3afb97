package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Warms up, then measures in rounds. One round of every requested baseline follows each round. */
final class Rounds {

  private static final double NANOS_PER_MICRO = 1e3;

  /** Completed rounds. Any thread may read them. */
  final List<Sample> ours = new CopyOnWriteArrayList<>();

  private final Map<Baseline, List<Sample>> raw = new LinkedHashMap<>();
  private final Session session;
  private long cpuNanos;
  private long allocatedBytes;
  private int round;

  Rounds(Session session) {
    this.session = session;
  }

  void run(Measurement measurement) {
    Plan plan = session.plan();
    if (plan.raw()) {
      Baseline.of(session).forEach(baseline -> raw.put(baseline, new ArrayList<>()));
    }
    Pace pace = plan.pace();
    for (int i = 0; i < Pace.WARM_UPS; i++) {
      measurement.warmUp(round++, pace.warmUpNanos());
      raw.forEach((baseline, samples) -> baseline.run(round++, pace.warmUpNanos()));
    }
    for (int i = 0; i < pace.rounds(); i++) {
      measure(measurement, pace.roundNanos());
      raw.forEach((baseline, samples) -> samples.add(baseline.run(round++, pace.roundNanos())));
    }
  }

  private void measure(Measurement measurement, long nanos) {
    Figures nearBefore = session.near();
    Figures farBefore = session.far();
    ours.add(measurement.run(round++, nanos));
    Figures far = session.far();
    Figures near = session.near();
    cpuNanos += near.cpuNanos() - nearBefore.cpuNanos() + far.cpuNanos() - farBefore.cpuNanos();
    allocatedBytes += near.allocatedBytes()
        - nearBefore.allocatedBytes()
        + far.allocatedBytes()
        - farBefore.allocatedBytes();
  }

  long count() {
    return ours.stream().mapToLong(Sample::count).sum();
  }

  /** Returns the CPU time of both processes, in seconds per million messages. */
  double cpuSecondsPerMillion() {
    return cpuNanos / 1e9 / count() * 1e6;
  }

  /** Returns the bytes that both engine threads allocated, per message. */
  double allocatedBytesPerMessage() {
    return (double) allocatedBytes / count();
  }

  Histogram times() {
    Histogram all = Sample.histogram();
    ours.forEach(sample -> all.add(sample.times()));
    return all;
  }

  static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    double[] sorted = samples.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  List<Baseline> baselines() {
    return List.copyOf(raw.keySet());
  }

  List<Sample> of(Baseline baseline) {
    return raw.get(baseline);
  }

  /** Returns null if only the rate is measured. */
  Double medianMicros(Baseline baseline) {
    return session.plan().workload().roundTrip()
        ? PerfResult.rounded(median(of(baseline), Sample::medianNanos) / NANOS_PER_MICRO)
        : null;
  }

  Double medianPerSecond(Baseline baseline) {
    return PerfResult.rounded(median(of(baseline), Sample::perSecond));
  }

  /**
   * Returns the median over all rounds of Railflux' figure divided by that of the baseline: of times for round trips,
   * of rates for one way.
   */
  Double ratio(Baseline baseline) {
    ToDoubleFunction<Sample> figure =
        session.plan().workload().roundTrip() ? Sample::medianNanos : Sample::perSecond;
    List<Sample> theirs = of(baseline);
    double[] ratios = IntStream.range(0, ours.size())
        .mapToDouble(i -> figure.applyAsDouble(ours.get(i)) / figure.applyAsDouble(theirs.get(i)))
        .sorted()
        .toArray();
    return PerfResult.rounded(ratios[ratios.length / 2]);
  }
}
