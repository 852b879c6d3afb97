package io.railflux.engine;

import java.util.ArrayDeque;

/**
 * Up to where the messages of a stream are acknowledged without a gap, when large ones and those of the
 * ring are acknowledged apart. Engine thread only.
 */
final class AcknowledgedPrefix {

  private static final class Large {
    private final long index;
    private boolean acknowledged;

    Large(long index) {
      this.index = index;
    }
  }

  // In order; the first may be waited for.
  private final ArrayDeque<Large> large = new ArrayDeque<>();
  private long passed;
  private int open;

  /**
   * A large message was sent.
   *
   * @param index how many messages were sent before it
   */
  void sent(long index) {
    large.add(new Large(index));
    open++;
  }

  /** Large messages that are not acknowledged, or behind one that is not. */
  int waiting() {
    return large.size();
  }

  /** Large messages that are not over. */
  int open() {
    return open;
  }

  /** The message is over, acknowledged or not. */
  void over(long index, boolean acknowledged) {
    open--;
    for (Large each : large) {
      if (each.index == index) {
        each.acknowledged = acknowledged;
      }
    }
  }

  /** @param others how many messages that went through the ring are acknowledged */
  long length(long others) {
    Large first = large.peek();
    while (first != null && first.acknowledged && others + passed >= first.index) {
      large.poll();
      passed++;
      first = large.peek();
    }
    return first == null ? others + passed : Math.min(others + passed, first.index);
  }
}
