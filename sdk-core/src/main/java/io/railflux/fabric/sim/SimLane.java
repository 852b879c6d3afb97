package io.railflux.fabric.sim;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** One direction of a link: traffic waits for earlier traffic on the same place. */
final class SimLane {

  static final long HEADER_BYTES = 64;

  /** Traffic without a connection. */
  static final long NONE = -1;

  private final Map<Long, Integer> places = new HashMap<>();
  private long[] busyUntil = new long[1];
  private long holeSince = Long.MAX_VALUE;

  /** Sets the number of parallel places, each with the full rate. */
  void spread(int places) {
    busyUntil = Arrays.copyOf(busyUntil, places);
  }

  /**
   * Returns the time at which the last bit has left.
   *
   * @param connection determines the place
   */
  long depart(long connection, long now, long bytes, long bytesPerSecond) {
    int place = busyUntil.length == 1 || connection == NONE ? 0 : place(connection);
    busyUntil[place] =
        Math.max(now, busyUntil[place]) + transmissionNanos(bytes + HEADER_BYTES, bytesPerSecond);
    return busyUntil[place];
  }

  private int place(long connection) {
    return places.computeIfAbsent(connection, anew -> places.size() % busyUntil.length);
  }

  private static long transmissionNanos(long bytes, long bytesPerSecond) {
    return bytesPerSecond == 0 ? 0 : (long) (bytes * 1e9 / bytesPerSecond);
  }

  /** Later traffic does not wait for slow earlier traffic. */
  void speedUp(long now) {
    Arrays.setAll(busyUntil, place -> Math.min(busyUntil[place], now));
  }

  void blackHole(boolean on, long now) {
    if (!on) {
      holeSince = Long.MAX_VALUE;
    } else if (holeSince == Long.MAX_VALUE) {
      holeSince = now;
    }
  }

  long holeSince() {
    return holeSince;
  }
}
