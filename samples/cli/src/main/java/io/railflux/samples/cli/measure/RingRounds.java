package io.railflux.samples.cli.measure;

import io.railflux.samples.cli.shell.CommandFailure;
import org.HdrHistogram.Histogram;

/**
 * The loops of two threads over a pair of bare rings. Each loop spins until its end, the end of the far side, or an
 * interrupt.
 */
public final class RingRounds {

  private static final long STUCK_NANOS = 10_000_000_000L;
  private static final int CLOCK_EVERY = 1 << 12;
  private static final int BATCH = 256;

  /** Spins of a reader without messages, and of a writer without space. */
  public static final int REST_SPINS = 64;

  private RingRounds() {}

  /** Sends as many messages as possible within a time. Ends when the far side has read the last one. */
  public static Sample oneWay(RawRing out, int sizeBytes, long nanos) {
    int clockMask = Pace.clockMask(sizeBytes);
    long begun = System.nanoTime();
    long number = 0;
    while ((number & clockMask) != 0 || System.nanoTime() - begun < nanos) {
      offer(out, number++);
    }
    end(out);
    long ended = System.nanoTime();
    for (int spins = 1; !out.drained(); spins++) {
      spin(spins, ended);
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  private static void offer(RawRing out, long number) {
    if (!out.offer(number)) {
      long begun = System.nanoTime();
      for (int spins = 1; !out.offer(number); spins++) {
        rest();
        checkStuck(spins, begun);
      }
    }
  }

  /** Keeps one message in flight. */
  public static Sample roundTrips(RawFile.Pair rings, long nanos) {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      offer(rings.out(), number);
      for (int spins = 1; rings.back().poll(1) == 0; spins++) {
        spin(spins, served);
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    end(rings.out());
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  /** Waits for the next message, which the other side sends soon. */
  public static void awaitOne(RawRing in) {
    long begun = System.nanoTime();
    for (int spins = 1; in.poll(1) == 0; spins++) {
      spin(spins, begun);
    }
  }

  private static void end(RawRing out) {
    long begun = System.nanoTime();
    for (int spins = 1; !out.offerEnd(); spins++) {
      spin(spins, begun);
    }
  }

  private static void spin(int spins, long begunNanos) {
    Thread.onSpinWait();
    checkStuck(spins, begunNanos);
  }

  private static void checkStuck(int spins, long begunNanos) {
    if (spins % CLOCK_EVERY == 0 && System.nanoTime() - begunNanos > STUCK_NANOS) {
      throw new CommandFailure("the far process stopped working at the bare ring");
    }
  }

  /**
   * Far side of {@link #oneWay}. Pauses when the ring is empty, so that it reads batches instead of contending for each
   * line.
   */
  public static void count(RawFile.Pair rings) {
    while (!rings.out().ended() && !Thread.currentThread().isInterrupted()) {
      if (rings.out().poll(BATCH) == 0) {
        rest();
      }
    }
  }

  /** Far side of {@link #roundTrips}. */
  public static void echo(RawFile.Pair rings) {
    while (!rings.out().ended() && !Thread.currentThread().isInterrupted()) {
      if (rings.out().poll(1) > 0) {
        while (!rings.back().offer(rings.out().last())) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private static void rest() {
    for (int i = 0; i < REST_SPINS; i++) {
      Thread.onSpinWait();
    }
  }
}
