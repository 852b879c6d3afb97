package io.railflux.samples.bench.compare;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RingRounds;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;

/**
 * Measures the current speed of this machine: a round trip over bare rings between two threads of this process, which
 * need no warm-up.
 */
final class Probe {

  private static final int SIZE_BYTES = 64;
  private static final int WARM_UPS = 2;

  private final long nanos;
  private RawFile.Pair near;
  private RawFile.Pair far;

  /**
   * @param nanos duration of a probe
   */
  Probe(long nanos) {
    this.nanos = nanos;
  }

  /** Returns the median in microseconds. */
  double micros() {
    if (near == null) {
      map();
      for (int i = 0; i < WARM_UPS; i++) {
        medianNanos();
      }
    }
    return medianNanos() / 1e3;
  }

  /** Maps the file once, because mapped memory is only released by a garbage collection. */
  private void map() {
    long owner = ProcessHandle.current().pid();
    near = RawFile.create(owner, 0, SIZE_BYTES, Work.TOUCH);
    try {
      far = RawFile.open(owner, 0, SIZE_BYTES, Work.TOUCH);
    } catch (IOException e) {
      throw new CommandFailure("cannot open the ring of the probe: " + e.getMessage(), e);
    } finally {
      RawFile.unlink(owner, 0);
    }
  }

  private double medianNanos() {
    Thread echo = new Thread(() -> RingRounds.echo(far), "probe");
    echo.setDaemon(true);
    echo.start();
    try {
      return RingRounds.roundTrips(near, nanos).medianNanos();
    } finally {
      end(echo);
      near.clear();
      far.clear();
    }
  }

  private static void end(Thread echo) {
    echo.interrupt();
    try {
      echo.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }
}
