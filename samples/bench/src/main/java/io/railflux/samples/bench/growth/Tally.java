package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counts the messages of all streams of one engine thread. Any thread may read. */
final class Tally {

  /** Unit of {@link #perSecond}. */
  static final String UNIT = "messages/s";

  // Written for every message. A full fence per message would distort the measurement.
  private static final AtomicLongFieldUpdater<Tally> COUNT =
      AtomicLongFieldUpdater.newUpdater(Tally.class, "count");

  private volatile long count;
  private long counted;

  /** Engine thread. */
  void add() {
    COUNT.lazySet(this, ++counted);
  }

  /** Any thread. */
  long count() {
    return count;
  }

  /** Returns the messages per second during the next {@code nanos}. */
  double perSecond(long nanos) {
    long begun = System.nanoTime();
    long before = count;
    Pause.of(Duration.ofNanos(nanos));
    return (count - before) * 1e9 / (System.nanoTime() - begun);
  }
}
