package io.railflux.samples.cli.perf;

import io.railflux.Railflux;
import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.Network;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * What to measure, for how long.
 *
 * @param seconds measured time; with a bare ring beside it, as much again for that
 * @param work of who receives a message
 * @param percentiles whether to tell more of them than usual
 */
record Plan(
    Network network,
    Workload workload,
    int sizeBytes,
    int seconds,
    Work work,
    boolean raw,
    boolean percentiles) {

  static final int MAX_SIZE_BYTES = 1 << 30;

  /** Who is away for so long has died; the streams' own error says so before anything here loses patience. */
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(5);

  String fabric() {
    return network.fabric();
  }

  Pace pace() {
    return new Pace(seconds);
  }

  /** After each round trip. */
  long pauseNanos() {
    return workload.sleeps() ? Pace.ASLEEP_NANOS : 0;
  }

  /** The same while warming up. */
  long warmUpPauseNanos(int round) {
    return workload.sleeps() || workload == Workload.IDLE ? Pace.warmUpPauseNanos(round) : 0;
  }

  /** As if messages had been due, whatever became of those before. */
  Histogram due(Histogram times) {
    return pauseNanos() > 0 ? Sample.dueEvery(times, pauseNanos()) : Sample.dueEach(times);
  }

  Reading reading() {
    return new Reading(work, sizeBytes);
  }

  Railflux node(String name) {
    return network.node(name).partitionTimeout(GIVE_UP_AFTER);
  }
}
