package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counts messages of all streams of one engine thread, for any other to read. */
final class Tally {

  /** Of what {@link #perSecond} tells. */
  static final String UNIT = "messages/s";

  // Written for every message: a full fence each would be measured, too.
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

  /** Messages a second, from now for so long. */
  double perSecond(long nanos) {
    long begun = System.nanoTime();
    long before = count;
    Pause.of(Duration.ofNanos(nanos));
    return (count - before) * 1e9 / (System.nanoTime() - begun);
  }
}
