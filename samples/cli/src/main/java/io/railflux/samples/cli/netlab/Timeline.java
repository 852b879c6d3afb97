package io.railflux.samples.cli.netlab;

import java.util.Arrays;

/** Arrival times of the messages of a stream, all of one size. One writer; other threads may read concurrently. */
final class Timeline {

  private static final long WINDOW_NANOS = 1_000_000_000;

  private final int sizeBytes;
  private long[] nanos = new long[1 << 12];
  private int count;

  Timeline(int sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  synchronized void add(long atNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = atNanos;
  }

  synchronized Order.Pace within(Order.Span span) {
    int first = indexOf(span.fromNanos());
    int last = indexOf(span.toNanos());
    return new Order.Pace(
        rate(first, last), longestGap(first, last, span), reached(first, last, span));
  }

  /** Returns the index of the first message that arrived at or after a time. */
  private int indexOf(long atNanos) {
    int place = Arrays.binarySearch(nanos, 0, count, atNanos);
    return place < 0 ? -place - 1 : place;
  }

  private double rate(int first, int last) {
    return last - first < 2
        ? 0
        : (double) sizeBytes * (last - 1 - first) * 1e9 / (nanos[last - 1] - nanos[first]);
  }

  private long longestGap(int first, int last, Order.Span span) {
    long before = span.fromNanos();
    long longest = 0;
    for (int i = first; i < last; i++) {
      longest = Math.max(longest, nanos[i] - before);
      before = nanos[i];
    }
    return Math.max(longest, span.toNanos() - before);
  }

  /** Returns the start of the first window that reaches the rate; -1 if there is none. */
  private long reached(int first, int last, Order.Span span) {
    double wanted = span.bytesPerSecond() * WINDOW_NANOS / 1e9 / sizeBytes;
    if (indexOf(span.fromNanos() + WINDOW_NANOS) - first >= wanted) {
      return span.fromNanos();
    }
    int end = first;
    for (int i = first; i < last && span.toNanos() - nanos[i] >= WINDOW_NANOS; i++) {
      while (end < last && nanos[end] - nanos[i] < WINDOW_NANOS) {
        end++;
      }
      if (end - i >= wanted) {
        return nanos[i];
      }
    }
    return -1;
  }
}
