package io.railflux;

import java.util.Random;

/**
 * Changes single bytes in one direction of a {@link Relay}, across connections. Positions count from 0 over all
 * connections.
 */
final class Corruption {

  /** Determines the position of the next change; {@code Long.MAX_VALUE} for none. */
  private interface Plan {

    /**
     * @param previous position of the last changed byte; -1 before the first change
     */
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

  /** Changes bytes at random distances with the given mean. */
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

  /** Returns the number of changed bytes. */
  synchronized int changes() {
    return changes;
  }
}
