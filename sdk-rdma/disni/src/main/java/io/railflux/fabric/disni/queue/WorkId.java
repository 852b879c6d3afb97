package io.railflux.fabric.disni.queue;

/**
 * The number of a native request or receive. A completion returns the number; a failed completion returns nothing
 * else.
 *
 * <pre>
 *   63                    32  31        30                    0
 *  +------------------------+---------+------------------------+
 *  | number of the endpoint | receive | slot, or low bits of   |
 *  |                        |         | the request's sequence |
 *  +------------------------+---------+------------------------+
 * </pre>
 */
public final class WorkId {

  private static final long RECEIVE = 1L << 31;
  private static final int INDEX_BITS = 31;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private WorkId() {}

  static long ofSlot(int endpoint, int slot) {
    return (long) endpoint << Integer.SIZE | RECEIVE | slot;
  }

  static long ofRequest(int endpoint, long sequence) {
    return (long) endpoint << Integer.SIZE | (sequence & INDEX_MASK);
  }

  public static int endpoint(long workId) {
    return (int) (workId >>> Integer.SIZE);
  }

  public static boolean isReceive(long workId) {
    return (workId & RECEIVE) != 0;
  }

  public static int slot(long workId) {
    return (int) (workId & INDEX_MASK);
  }

  /** Returns the sequence number with these low bits that is close to an earlier one. */
  public static long sequence(long workId, long earlier) {
    return earlier + ((workId - earlier) & INDEX_MASK);
  }
}
