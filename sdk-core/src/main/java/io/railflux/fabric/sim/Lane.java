package io.railflux.fabric.sim;

/** One direction of a link: what is sent waits for what was sent before. */
final class Lane {

  static final long HEADER_BYTES = 64;

  private long busyUntil;
  private long holeSince = Long.MAX_VALUE;

  /** When the last bit of {@code bytes} handed over now has left. */
  long depart(long now, long bytes, long bytesPerSecond) {
    busyUntil = Math.max(now, busyUntil) + transmissionNanos(bytes + HEADER_BYTES, bytesPerSecond);
    return busyUntil;
  }

  private static long transmissionNanos(long bytes, long bytesPerSecond) {
    return bytesPerSecond == 0 ? 0 : (long) (bytes * 1e9 / bytesPerSecond);
  }

  /** What is sent from now on does not wait for what still crawls. */
  void speedUp(long now) {
    busyUntil = Math.min(busyUntil, now);
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
