package io.railflux.samples.cli.perf;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.ThreadTimes;
import io.railflux.samples.cli.shell.ThreadTimes.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of two new processes by the second.
 * @param perSecond rate at which messages were due
 * @param nodeMillis start of the node of this JVM
 * @param startToFirstMessageMillis from the start of this JVM until the first message returned, including the start of
 *     the second process
 * @param connectMillis from the begin of the connect until the peer was there
 * @param connectToFirstMessageMillis from the begin of the connect until the first message returned
 * @param processorTimesOf number of processes whose processor time is included: 2, or 1 if the far side was started
 *     separately; null if the kernel does not provide the times
 */
record ColdResult(
    @JsonUnwrapped PerfResult.Subject subject,
    int perSecond,
    double nodeMillis,
    double startToFirstMessageMillis,
    double connectMillis,
    double connectToFirstMessageMillis,
    Integer processorTimesOf,
    List<Second> seconds) {

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The messages that were due in a second, without coordinated omission, and the processor time of threads in that
   * second; null if it is not available. The first second includes the start of the processes.
   */
  record Second(
      int second,
      double p50Micros,
      double p99Micros,
      double maxMicros,
      Long compilerMillis,
      Long collectorMillis,
      Long engineMillis,
      Long otherMillis) {

    static Second of(int number, Sample sample, Map<Purpose, Long> millis) {
      return new Second(
          number,
          PerfResult.micros(sample.times(), 50),
          PerfResult.micros(sample.times(), 99),
          PerfResult.micros(sample.times(), 100),
          millis.get(Purpose.COMPILER),
          millis.get(Purpose.COLLECTOR),
          millis.get(Purpose.ENGINE),
          millis.get(Purpose.OTHER));
    }

    String row() {
      return String.format("%6d %,11.1f %,11.1f %,11.1f", second, p50Micros, p99Micros, maxMicros)
          + Stream.of(compilerMillis, collectorMillis, engineMillis, otherMillis)
              .map(millis -> String.format("%11s", millis == null ? "-" : millis))
              .collect(Collectors.joining());
    }
  }

  static List<Second> seconds(List<Sample> samples, List<Map<Purpose, Long>> millis) {
    List<Second> seconds = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      Map<Purpose, Long> taken = i < millis.size() ? millis.get(i) : Map.of();
      seconds.add(Second.of(i + 1, samples.get(i), taken));
    }
    return seconds;
  }

  /** Returns the sum of several processes, with every purpose. */
  static Map<Purpose, Long> sum(List<Map<Purpose, Long>> processes) {
    Map<Purpose, Long> all = new TreeMap<>();
    for (Purpose purpose : ThreadTimes.Purpose.values()) {
      all.put(
          purpose,
          processes.stream().mapToLong(one -> one.getOrDefault(purpose, 0L)).sum());
    }
    return all;
  }

  static double millis(long nanos) {
    return PerfResult.rounded(nanos / NANOS_PER_MILLI);
  }

  /** Returns the result as text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(
        "start of the JVM to first message %,.1f ms, of which start of the node %,.1f ms",
        startToFirstMessageMillis, nodeMillis));
    lines.add(String.format(
        "begin of connect to peer %,.1f ms, to first message %,.1f ms",
        connectMillis, connectToFirstMessageMillis));
    lines.add("messages due at " + perSecond + " per second; processor time "
        + (processorTimesOf == null
            ? "is not available on this system"
            : processorTimesOf == 1 ? "of this process" : "of both processes"));
    lines.add(
        "second      p50 µs      p99 µs      max µs   compiler  collector     engine   other ms");
    seconds.forEach(second -> lines.add(second.row()));
    return lines;
  }
}
