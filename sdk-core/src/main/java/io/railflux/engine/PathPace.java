package io.railflux.engine;

import java.util.function.LongSupplier;

/**
 * How much may be under way on a path (D12): what it moves in its own round trip and in the time a control
 * frame may wait behind data. The rate is the best of the last moments, measured like this: when a request
 * is posted it is noted what had completed; when that request completes, what completed since, with all
 * that was told together with it, is a sample. Samples of a sender that had little to say count only when
 * they are better; a request that takes much longer than it should is a sample before it completes.
 *
 * <p>The round trip is that of a request posted on a path with little under way. Where that is never so, the
 * path is left to run down to little every {@link #RUN_DOWN_AFTER_NANOS}: what queues up would be taken for
 * a longer path, and more be sent. Engine thread only.
 */
final class PathPace {

  /** Little, and always allowed: less would keep fast paths waiting before anything is known of them. */
  static final int LEAST_BYTES = 64 << 10;

  static final long RUN_DOWN_AFTER_NANOS = 10_000_000_000L;

  /** Rates are forgotten after one to two of these, in times of what a control frame may wait. */
  private static final int RATE_WINDOWS = 4;

  private static final long NANOS = 1_000_000_000L;

  private final LongSupplier nowNanos;
  private final long waitNanos;

  private long postedBytes;
  private long completedBytes;
  private long capBytes = LEAST_BYTES;

  // The request that is being measured.
  private boolean measuring;
  private boolean measured;
  private boolean fromLittle;
  private boolean limited;
  private long startNanos;
  private long endNanos;
  private long startCompletedBytes;
  private long targetBytes;

  // What was measured.
  private long roundTripNanos;
  private long ranDownNanos;
  private long bestRate;
  private long formerRate;
  private long windowNanos;

  /**
   * @param nowNanos the duty cycle's time
   * @param waitNanos how long a control frame may wait behind data
   */
  PathPace(LongSupplier nowNanos, long waitNanos) {
    this.nowNanos = nowNanos;
    this.waitNanos = waitNanos;
    this.ranDownNanos = nowNanos.getAsLong();
    this.windowNanos = ranDownNanos;
  }

  /** Whether more may be posted now; one request may go beyond the cap. */
  boolean hasRoom(long gatheredBytes) {
    if (measured) {
      sample();
    }
    long underWay = postedBytes - completedBytes + gatheredBytes;
    boolean room = underWay < LEAST_BYTES || (underWay < capBytes && !mustRunDown());
    if (!room) {
      limited = true;
      lookIfSlower();
    }
    return room;
  }

  /** A path that became slow would take long to complete what is measured. */
  private void lookIfSlower() {
    long elapsedNanos = nowNanos.getAsLong() - startNanos;
    if (measuring && !fromLittle && elapsedNanos > roundTripNanos + 2 * waitNanos) {
      measuring = false;
      bestRate = rate(completedBytes - startCompletedBytes, elapsedNanos);
      formerRate = bestRate;
      setCap();
    }
  }

  private boolean mustRunDown() {
    return nowNanos.getAsLong() - ranDownNanos > RUN_DOWN_AFTER_NANOS;
  }

  /** What one request should carry at most, so that several are under way. */
  int requestBytes(int mostBytes) {
    return (int) Math.min(mostBytes, capBytes / 4);
  }

  /** Something was posted whose completion will be told. */
  void posted(long bytes) {
    if (measured) {
      sample();
    }
    boolean little = postedBytes - completedBytes < LEAST_BYTES;
    postedBytes += bytes;
    if (!measuring) {
      measuring = true;
      fromLittle = little;
      limited = false;
      startNanos = nowNanos.getAsLong();
      startCompletedBytes = completedBytes;
      targetBytes = postedBytes;
    }
  }

  void completed(long bytes) {
    if (measured && nowNanos.getAsLong() != endNanos) {
      sample();
    }
    completedBytes += bytes;
    if (measuring && !measured && completedBytes - targetBytes >= 0) {
      measured = true;
      endNanos = nowNanos.getAsLong();
    }
  }

  private void sample() {
    measuring = false;
    measured = false;
    long elapsedNanos = endNanos - startNanos;
    if (elapsedNanos <= 0) {
      return;
    }
    if (fromLittle || roundTripNanos == 0) {
      roundTripNanos = elapsedNanos;
      ranDownNanos = endNanos;
    }
    long rate = rate(completedBytes - startCompletedBytes, elapsedNanos);
    if ((limited || !fromLittle) && endNanos - windowNanos > RATE_WINDOWS * waitNanos) {
      windowNanos = endNanos;
      formerRate = bestRate;
      bestRate = rate;
    } else {
      bestRate = Math.max(bestRate, rate);
    }
    setCap();
  }

  private void setCap() {
    // A quarter more than the round trip takes: on a long path the cap would grow by little each
    // time.
    double horizon = (double) (roundTripNanos + roundTripNanos / 4 + waitNanos) / NANOS;
    capBytes = Math.max(LEAST_BYTES, (long) (Math.max(bestRate, formerRate) * horizon));
  }

  /** Bytes a second. */
  private static long rate(long bytes, long nanos) {
    return (long) ((double) bytes * NANOS / nanos);
  }

  long capBytes() {
    return capBytes;
  }
}
