package io.railflux.samples.cli.perf;

import java.util.Iterator;

/** Messages numbered from 0, as fast as they are asked for, until a time; looks at the clock seldom. */
final class Production implements Iterator<Payload> {

  private static final int CLOCK_EVERY = 64;

  private final Payloads payloads;
  private final long untilNanos;
  private volatile long produced;
  private long number;
  private boolean ended;

  Production(Payloads payloads, long untilNanos) {
    this.payloads = payloads;
    this.untilNanos = untilNanos;
  }

  /** Any thread; up to {@value #CLOCK_EVERY} behind the truth, never before it. */
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
    if (number % CLOCK_EVERY == 0) {
      produced = number;
    }
    return next;
  }

  /** Engine thread, or after the end. */
  long count() {
    return number;
  }
}
