package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.shell.CommandFailure;

/**
 * Measures the CPU time of a connected idle pair. Traffic before the measurement compiles the heartbeats, which cost
 * several times as much when interpreted.
 */
final class Idle {

  private Idle() {}

  static PerfResult measure(Session session) {
    PingPong talk = new PingPong(session);
    for (int round = 0; round < Pace.WARM_UPS; round++) {
      talk.warmUp(round, session.plan().pace().warmUpNanos());
    }
    // The first reading loads classes.
    session.near();
    session.far();
    sleep(Pace.SETTLE_NANOS);
    Figures nearBefore = session.near();
    Figures farBefore = session.far();
    long begun = System.nanoTime();
    sleep(session.plan().seconds() * 1_000_000_000L);
    Figures far = session.far();
    Figures near = session.near();
    long cpuNanos = near.cpuNanos() - nearBefore.cpuNanos() + far.cpuNanos() - farBefore.cpuNanos();
    return PerfResult.unmeasured(session, 0)
        .withIdleCpuPercent(100.0 * cpuNanos / (System.nanoTime() - begun));
  }

  private static void sleep(long nanos) {
    try {
      Thread.sleep(nanos / 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted");
    }
  }
}
