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
 * The workload and the duration of a measurement.
 * @param seconds measured time; a baseline adds the same time
 * @param work of the receiver of a message
 * @param percentiles whether to report further percentiles
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

  /**
   * Time after which a silent peer is considered dead. The error of the streams is reported before any timeout of this
   * command.
   */
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(5);

  String fabric() {
    return network.fabric();
  }

  Pace pace() {
    return new Pace(seconds);
  }

  /** Returns the number of measured rounds. Of a cold start, each second is one. */
  int rounds() {
    return workload == Workload.COLD ? seconds : pace().rounds();
  }

  /** Returns the pause after each round trip. */
  long pauseNanos() {
    return workload.sleeps() ? Pace.ASLEEP_NANOS : 0;
  }

  /** Returns the pause after each round trip of a warm-up round. */
  long warmUpPauseNanos(int round) {
    return workload.sleeps() || workload == Workload.IDLE ? Pace.warmUpPauseNanos(round) : 0;
  }

  /** Returns the times as if messages had been due independently of earlier messages. */
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
