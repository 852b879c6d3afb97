package io.railflux.samples.bench.compare;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RingRounds;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;

/**
 * How fast this machine is at the moment: a round trip over bare rings, of two threads of this process, so that nothing
 * has to start and warm up again.
 */
final class Probe {

  private static final int SIZE_BYTES = 64;
  private static final int WARM_UPS = 2;

  private final long nanos;
  private int round;

  /** @param nanos that it takes */
  Probe(long nanos) {
    this.nanos = nanos;
  }

  /** The median, in microseconds. */
  double micros() {
    while (round < WARM_UPS) {
      medianNanos();
    }
    return medianNanos() / 1e3;
  }

  private double medianNanos() {
    long owner = ProcessHandle.current().pid();
    RawFile.Pair near = RawFile.create(owner, round, SIZE_BYTES, Work.TOUCH);
    RawFile.Pair far;
    try {
      far = RawFile.open(owner, round, SIZE_BYTES, Work.TOUCH);
    } catch (IOException e) {
      throw new CommandFailure("cannot open the ring of the probe: " + e.getMessage(), e);
    } finally {
      RawFile.unlink(owner, round++);
    }
    Thread echo = new Thread(() -> RingRounds.echo(far), "probe");
    echo.setDaemon(true);
    echo.start();
    try {
      return RingRounds.roundTrips(near, nanos).medianNanos();
    } finally {
      echo.interrupt();
    }
  }
}
