package io.railflux.samples.cli.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Warms up, then measures in rounds, each followed by one of the bare ring if that was asked for. */
final class Rounds {

  /** Not one: what happens for the first time at the end of a stream has the JIT compile anew. */
  private static final int WARM_UPS = 4;

  final List<Sample> ours = new ArrayList<>();
  final List<Sample> raw = new ArrayList<>();
  private final Session session;
  private long cpuNanos;
  private long allocatedBytes;
  private int round;

  Rounds(Session session) {
    this.session = session;
  }

  void run(Measurement measurement) {
    Plan plan = session.plan();
    Measurement bare = plan.raw() ? new RawRun(session) : null;
    for (int i = 0; i < WARM_UPS; i++) {
      measurement.run(round++, plan.warmUpNanos() / 2);
      if (bare != null) {
        bare.run(round++, plan.warmUpNanos() / 2);
      }
    }
    for (int i = 0; i < plan.rounds(); i++) {
      measure(measurement, plan.roundNanos());
      if (bare != null) {
        raw.add(bare.run(round++, plan.roundNanos()));
      }
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

  /** CPU time of both processes, in seconds per million messages. */
  double cpuSecondsPerMillion() {
    return cpuNanos / 1e9 / count() * 1e6;
  }

  /** By both engine threads. */
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

  /** Ours by the bare ring's: of times for round trips, of rates for one way. */
  Double rawRatio() {
    if (raw.isEmpty()) {
      return null;
    }
    ToDoubleFunction<Sample> figure =
        session.plan().workload().roundTrip() ? Sample::medianNanos : Sample::perSecond;
    return median(ours, figure) / median(raw, figure);
  }
}
