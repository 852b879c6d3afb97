package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Sample;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of an interrupted measurement; null where a figure does not apply or no round is complete.
 * @param interrupted always true, which distinguishes this output from that of a complete run
 * @param roundsMeasured completed rounds
 * @param rounds planned rounds
 * @param messagesPerSecond median of the completed rounds
 */
record PartialResult(
    boolean interrupted,
    String fabric,
    String workload,
    int sizeBytes,
    int roundsMeasured,
    int rounds,
    long count,
    Double p50Micros,
    Double p99Micros,
    Double messagesPerSecond) {

  /**
   * @param running completed rounds; another thread may add to them
   */
  static PartialResult of(Plan plan, List<Sample> running) {
    List<Sample> samples = List.copyOf(running);
    Histogram times = Sample.histogram();
    samples.forEach(sample -> times.add(sample.times()));
    boolean timed = times.getTotalCount() > 0;
    return new PartialResult(
        true,
        plan.fabric(),
        plan.workload().toString(),
        plan.sizeBytes(),
        samples.size(),
        plan.rounds(),
        samples.stream().mapToLong(Sample::count).sum(),
        timed ? PerfResult.micros(times, 50) : null,
        timed ? PerfResult.micros(plan.due(times), 99) : null,
        samples.isEmpty() ? null : PerfResult.rounded(Rounds.median(samples, Sample::perSecond)));
  }
}
