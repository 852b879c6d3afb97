package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.List;
import org.HdrHistogram.Histogram;

/** RDMA writes by perftest between the same two hosts: the capacity of the card. */
final class PerftestRun implements Baseline {

  private static final double MEBI = 1 << 20;
  private static final int TYPICAL_MICROS = 4;
  private static final int AVERAGE_MEBIBYTES = 3;
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 250;

  private final Session session;
  private final Perftest.Tool tool;
  private final int sizeBytes;

  PerftestRun(Session session) {
    this.session = session;
    this.tool = Perftest.Tool.of(session.plan().workload());
    this.sizeBytes = session.plan().sizeBytes();
  }

  @Override
  public String name() {
    return tool.command;
  }

  @Override
  public Sample run(int round, long nanos) {
    int port = session.order(tool.task, round, 0);
    return sample(tool, Perftest.row(measured(port), sizeBytes));
  }

  /** Retries while the serving side starts. */
  private List<String> measured(int port) {
    for (int attempt = 1; ; attempt++) {
      try {
        return Perftest.measure(tool, sizeBytes, session.farHost(), port);
      } catch (CommandFailure e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  /** A round trip takes twice the one-way time. */
  static Sample sample(Perftest.Tool tool, double[] row) {
    long count = (long) row[1];
    Histogram times = Sample.histogram();
    if (tool == Perftest.Tool.LATENCY) {
      double nanos = 2e3 * row[TYPICAL_MICROS];
      times.recordValueWithCount(Math.round(nanos), count);
      return new Sample(count, Math.round(nanos * count), times);
    }
    double seconds = count * row[0] / (row[AVERAGE_MEBIBYTES] * MEBI);
    return new Sample(count, Math.round(seconds * 1e9), times);
  }
}
