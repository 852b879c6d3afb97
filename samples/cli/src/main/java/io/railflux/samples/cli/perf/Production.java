package io.railflux.samples.cli.perf;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Messages numbered from 0, as fast as they are asked for, until a time; looks at the clock seldom. */
final class Production implements Iterator<Payload> {

  private static final int CLOCK_EVERY = 64;

  // Written for every message: a full fence each would be measured, too.
  private static final AtomicLongFieldUpdater<Production> PRODUCED =
      AtomicLongFieldUpdater.newUpdater(Production.class, "produced");

  private final Payloads payloads;
  private final long untilNanos;
  private volatile long produced;
  private long number;
  private boolean ended;

  Production(Payloads payloads, long untilNanos) {
    this.payloads = payloads;
    this.untilNanos = untilNanos;
  }

  /** Any thread. */
  long produced() {
    return produced;
  }

  @Override
  public boolean hasNext() {
    if (number % CLOCK_EVERY == 0 && !ended) {
      ended = System.nanoTime() - untilNanos >= 0;
    }
    return !ended;
  }

  @Override
  public Payload next() {
    Payload next = payloads.numbered(number++);
    PRODUCED.lazySet(this, number);
    return next;
  }

  /** Engine thread, or after the end. */
  long count() {
    return number;
  }
}
