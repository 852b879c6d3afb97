package io.railflux.samples.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.Work;
import org.HdrHistogram.Histogram;

/**
 * The JSON output: one object with the fields of all parts; null where a figure does not apply.
 *
 * @param work work of the receiver, if it differs from the default
 */
record PerfResult(
    @JsonUnwrapped Subject subject,
    @JsonUnwrapped Latency latency,
    @JsonUnwrapped Rate rate,
    @JsonUnwrapped Cost cost,
    @JsonUnwrapped Memory memory,
    Double idleCpuPercent,
    @JsonUnwrapped RawFigures raw,
    @JsonInclude(JsonInclude.Include.NON_NULL) String work,
    @JsonUnwrapped Tail tail) {

  /** The measured exchange. */
  record Subject(String fabric, String workload, int sizeBytes, long count) {

    static Subject of(Plan plan, long count) {
      return new Subject(plan.fabric(), plan.workload().toString(), plan.sizeBytes(), count);
    }
  }

  /** Times of round trips. */
  record Latency(Double p50Micros, Double p99Micros, Double p999Micros) {

    static final Latency NONE = new Latency(null, null, null);

    /** @param due times without coordinated omission */
    static Latency of(Histogram times, Histogram due) {
      return new Latency(micros(times, 50), micros(due, 99), micros(due, 99.9));
    }
  }

  /** Messages and bytes of one direction. */
  record Rate(Double messagesPerSecond, Double megabytesPerSecond) {

    static final Rate NONE = new Rate(null, null);

    static Rate of(double perSecond, int sizeBytes) {
      return new Rate(rounded(perSecond), rounded(perSecond * sizeBytes / MEGA));
    }
  }

  /** Processor time and memory that both processes take for messages. */
  record Cost(Double cpuSecondsPerMillion, Double allocatedBytesPerMessage) {

    static final Cost NONE = new Cost(null, null);

    static Cost of(Rounds rounds) {
      return new Cost(
          rounded(rounds.cpuSecondsPerMillion()), rounded(rounds.allocatedBytesPerMessage()));
    }
  }

  /** Resident memory of both processes. */
  record Memory(Double senderRssMiB, Double receiverRssMiB) {

    static Memory of(Session session) {
      return new Memory(
          mebibytes(session.near().rssBytes()), mebibytes(session.far().rssBytes()));
    }
  }

  private static final double MEBI = 1 << 20;
  private static final double MEGA = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double DIGITS = 1e4;

  static PerfResult of(Session session, Rounds rounds) {
    Plan plan = session.plan();
    Histogram times = rounds.times();
    boolean timed = times.getTotalCount() > 0;
    Histogram due = timed ? plan.due(times) : times;
    return new PerfResult(
        Subject.of(plan, rounds.count()),
        timed ? Latency.of(times, due) : Latency.NONE,
        Rate.of(Rounds.median(rounds.ours, Sample::perSecond), plan.sizeBytes()),
        Cost.of(rounds),
        Memory.of(session),
        null,
        RawFigures.of(rounds),
        unusual(plan.work()),
        timed && plan.percentiles() ? Tail.of(due) : null);
  }

  /** Returns the figures that exist for every pair. */
  static PerfResult unmeasured(Session session, long count) {
    Plan plan = session.plan();
    return new PerfResult(
        Subject.of(plan, count),
        Latency.NONE,
        Rate.NONE,
        Cost.NONE,
        Memory.of(session),
        null,
        RawFigures.NONE,
        unusual(plan.work()),
        null);
  }

  /** Adds the CPU usage of both processes, in percent of one core. */
  PerfResult withIdleCpuPercent(double percent) {
    return new PerfResult(subject, latency, rate, cost, memory, rounded(percent), raw, work, tail);
  }

  PerfResult withRate(Sample sample) {
    Rate measured = Rate.of(sample.perSecond(), subject.sizeBytes());
    return new PerfResult(
        subject, latency, measured, cost, memory, idleCpuPercent, raw, work, tail);
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
