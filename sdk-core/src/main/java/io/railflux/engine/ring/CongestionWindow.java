package io.railflux.engine.ring;

import java.util.function.LongSupplier;

/**
 * Bounds the bytes in flight on a path (D12). The bound is the traffic of a round trip and of the time that a
 * control frame may wait behind data. The rate is the best recent sample. A sample covers the bytes completed
 * between the post of a request and its completion, with all completions observed at the same time. Samples of a
 * sender with little traffic count only if they are higher. A request that exceeds its expected time is a sample
 * before it completes.
 *
 * <p>The round trip is that of a request posted on a path with few bytes in flight. A path without such a moment is
 * run down every {@link #RUN_DOWN_AFTER_NANOS}. Otherwise queueing would count as round trip and raise the bound.
 * Engine thread only.
 */
public final class CongestionWindow {

  /** Always allowed: a smaller bound would stall fast paths before the first sample. */
  static final int MIN_BYTES = 64 << 10;

  static final long RUN_DOWN_AFTER_NANOS = 10_000_000_000L;

  /** Rates expire after one to two windows, in multiples of the time that a control frame may wait. */
  private static final int RATE_WINDOWS = 4;

  private static final long NANOS = 1_000_000_000L;

  private final LongSupplier nowNanos;
  private final long waitNanos;

  private long postedBytes;
  private long completedBytes;
  private long capBytes = MIN_BYTES;

  // The measured request.
  private boolean measuring;
  private boolean measured;
  private boolean fromLittle;
  private boolean limited;
  private long startNanos;
  private long endNanos;
  private long startCompletedBytes;
  private long targetBytes;

  // Results of measurements.
  private long roundTripNanos;
  private long ranDownNanos;
  private long bestRate;
  private long formerRate;
  private long windowNanos;

  /**
   * @param nowNanos time of the duty cycle
   * @param waitNanos time that a control frame may wait behind data
   */
  public CongestionWindow(LongSupplier nowNanos, long waitNanos) {
    this.nowNanos = nowNanos;
    this.waitNanos = waitNanos;
    this.ranDownNanos = nowNanos.getAsLong();
    this.windowNanos = ranDownNanos;
  }

  /** Whether more bytes may be posted now; one request may exceed the bound. */
  public boolean hasRoom(long gatheredBytes) {
    if (measured) {
      sample();
    }
    long underWay = postedBytes - completedBytes + gatheredBytes;
    boolean room = underWay < MIN_BYTES || (underWay < capBytes && !mustRunDown());
    if (!room) {
      limited = true;
      sampleIfSlower();
    }
    return room;
  }

  /** Samples before the completion, which takes long on a path that became slow. */
  private void sampleIfSlower() {
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

  /** Returns the largest size of a request that leaves room for several in flight. */
  public int requestBytes(int maxBytes) {
    return (int) Math.min(maxBytes, capBytes / 4);
  }

  /** Records posted bytes whose completion will be reported. */
  public void posted(long bytes) {
    if (measured) {
      sample();
    }
    boolean little = postedBytes - completedBytes < MIN_BYTES;
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

  public void completed(long bytes) {
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
    // A quarter more than the round trip, because the bound would grow slowly on a long path.
    double horizon = (double) (roundTripNanos + roundTripNanos / 4 + waitNanos) / NANOS;
    capBytes = Math.max(MIN_BYTES, (long) (Math.max(bestRate, formerRate) * horizon));
  }

  /** Returns bytes per second. */
  private static long rate(long bytes, long nanos) {
    return (long) ((double) bytes * NANOS / nanos);
  }

  long capBytes() {
    return capBytes;
  }
}
