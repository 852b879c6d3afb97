package io.railflux.pipeline;

/** A growing queue of longs without boxing. Not thread-safe. */
final class LongRing {

  private long[] values = new long[0];
  private int head;
  private int size;

  void add(long value) {
    if (size == values.length) {
      grow();
    }
    values[(head + size++) % values.length] = value;
  }

  /** Returns the first value, 0 if empty. */
  long peek() {
    return size == 0 ? 0 : values[head];
  }

  void poll() {
    if (size > 0) {
      head = (head + 1) % values.length;
      size--;
    }
  }

  void clear() {
    head = 0;
    size = 0;
  }

  private void grow() {
    long[] grown = new long[Math.max(8, values.length * 2)];
    for (int i = 0; i < size; i++) {
      grown[i] = values[(head + i) % values.length];
    }
    values = grown;
    head = 0;
  }
}
