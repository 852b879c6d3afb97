package io.railflux.fabric.verbs.queue;

/**
 * The 64-bit id of a work request. A failed completion contains only this id.
 *
 * <pre>
 *   63            32  31        30      16 15           0
 *  +----------------+---------+----------+--------------+
 *  | endpoint       | receive | 0        | place in its queue
 *  +----------------+---------+----------+--------------+
 * </pre>
 *
 * Endpoint numbers are not used again, so completions of a closed endpoint are recognized.
 */
public final class WorkIds {

  private static final int RECEIVE = 1 << 31;
  private static final int PLACE = 0xFFFF;

  private WorkIds() {}

  static long request(int endpoint, int place) {
    return (long) endpoint << 32 | place;
  }

  static long receive(int endpoint, int place) {
    return request(endpoint, place) | Integer.toUnsignedLong(RECEIVE);
  }

  public static int endpoint(long id) {
    return (int) (id >>> 32);
  }

  public static boolean isReceive(long id) {
    return ((int) id & RECEIVE) != 0;
  }

  public static int place(long id) {
    return (int) id & PLACE;
  }
}
