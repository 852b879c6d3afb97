package io.railflux.samples.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.Work;
import org.HdrHistogram.Histogram;

/**
 * The JSON output; null where a figure does not apply.
 * @param work of the receiver, if it differs from the default
 */
record PerfResult(
    String fabric,
    String workload,
    int sizeBytes,
    long count,
    Double p50Micros,
    Double p99Micros,
    Double p999Micros,
    Double messagesPerSecond,
    Double megabytesPerSecond,
    Double cpuSecondsPerMillion,
    Double allocatedBytesPerMessage,
    Double senderRssMiB,
    Double receiverRssMiB,
    Double idleCpuPercent,
    @JsonUnwrapped RawFigures raw,
    @JsonInclude(JsonInclude.Include.NON_NULL) String work,
    @JsonUnwrapped Tail tail) {

  private static final double MEBI = 1 << 20;
  private static final double MEGA = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double DIGITS = 1e4;

  static PerfResult of(Session session, Rounds rounds) {
    Plan plan = session.plan();
    Histogram times = rounds.times();
    boolean timed = times.getTotalCount() > 0;
    Histogram due = timed ? plan.due(times) : times;
    double perSecond = Rounds.median(rounds.ours, Sample::perSecond);
    return new PerfResult(
        plan.fabric(),
        plan.workload().toString(),
        plan.sizeBytes(),
        rounds.count(),
        timed ? micros(times, 50) : null,
        timed ? micros(due, 99) : null,
        timed ? micros(due, 99.9) : null,
        rounded(perSecond),
        rounded(perSecond * plan.sizeBytes() / MEGA),
        rounded(rounds.cpuSecondsPerMillion()),
        rounded(rounds.allocatedBytesPerMessage()),
        mebibytes(session.near().rssBytes()),
        mebibytes(session.far().rssBytes()),
        null,
        RawFigures.of(rounds),
        unusual(plan.work()),
        timed && plan.percentiles() ? Tail.of(due) : null);
  }

  /** Returns the figures that exist for every pair. */
  static PerfResult unmeasured(Session session, long count) {
    Plan plan = session.plan();
    return new PerfResult(
        plan.fabric(),
        plan.workload().toString(),
        plan.sizeBytes(),
        count,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        mebibytes(session.near().rssBytes()),
        mebibytes(session.far().rssBytes()),
        null,
        RawFigures.NONE,
        unusual(plan.work()),
        null);
  }

  /** Adds the CPU usage of both processes, in percent of one core. */
  PerfResult withIdleCpuPercent(double percent) {
    return new PerfResult(
        fabric,
        workload,
        sizeBytes,
        count,
        p50Micros,
        p99Micros,
        p999Micros,
        messagesPerSecond,
        megabytesPerSecond,
        cpuSecondsPerMillion,
        allocatedBytesPerMessage,
        senderRssMiB,
        receiverRssMiB,
        rounded(percent),
        raw,
        work,
        tail);
  }

  PerfResult withRate(Sample sample) {
    double perSecond = sample.perSecond();
    return new PerfResult(
        fabric,
        workload,
        sizeBytes,
        count,
        p50Micros,
        p99Micros,
        p999Micros,
        rounded(perSecond),
        rounded(perSecond * sizeBytes / MEGA),
        cpuSecondsPerMillion,
        allocatedBytesPerMessage,
        senderRssMiB,
        receiverRssMiB,
        idleCpuPercent,
        raw,
        work,
        tail);
  }

  private static String unusual(Work work) {
    return work == Work.TOUCH ? null : work.toString();
  }

  static Double micros(Histogram times, double percentile) {
    return rounded(times.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
  }

  static Double mebibytes(long bytes) {
    return rounded(bytes / MEBI);
  }

  static Double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
