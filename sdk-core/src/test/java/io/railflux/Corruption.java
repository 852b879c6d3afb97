package io.railflux;

import java.util.Random;

/**
 * Changes a byte now and then of all that goes in one direction of a {@link Relay}, whatever connection carries it.
 * Positions count from 0 over all connections.
 */
final class Corruption {

  /** Says where the next change is; {@code Long.MAX_VALUE} for no more changes. */
  private interface Plan {

    /** @param previous the position of the last changed byte; -1 before the first change */
    long next(long previous);
  }

  private final Plan plan;
  private final Random random;
  private long passed;
  private long next;
  private int changes;

  private Corruption(Plan plan, long seed) {
    this.plan = plan;
    this.random = new Random(seed);
    this.next = plan.next(-1);
  }

  static Corruption none() {
    return at(Long.MAX_VALUE);
  }

  /** Changes one byte. */
  static Corruption at(long position) {
    return new Corruption(previous -> previous < 0 ? position : Long.MAX_VALUE, position);
  }

  /** Changes bytes that are so many bytes apart on average. */
  static Corruption every(long meanBytes, long seed) {
    Random gaps = new Random(seed);
    return new Corruption(
        previous -> previous + 1 + (long) (gaps.nextDouble() * 2 * meanBytes), seed);
  }

  synchronized void apply(byte[] bytes, int count) {
    while (next < passed + count) {
      bytes[(int) (next - passed)] ^= (byte) (1 + random.nextInt(255));
      changes++;
      next = plan.next(next);
    }
    passed += count;
  }

  /** Bytes that were changed. */
  synchronized int changes() {
    return changes;
  }
}
