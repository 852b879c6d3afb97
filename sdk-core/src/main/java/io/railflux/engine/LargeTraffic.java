package io.railflux.engine;

/** What large messages moved over all paths to one peer, in either direction. Engine thread only. */
final class LargeTraffic {

  private long movedBytes;
  private long pieces;
  private Runnable listener = () -> {};

  /** @param newListener hears of each large message that begins, here or there */
  void onBegin(Runnable newListener) {
    listener = newListener;
  }

  void begun() {
    listener.run();
  }

  /** A piece arrived at its end. */
  void moved(long bytes) {
    if (bytes > 0) {
      movedBytes += bytes;
      pieces++;
    }
  }

  long movedBytes() {
    return movedBytes;
  }

  /** How often something arrived: a rate is as exact as there were pieces. */
  long pieces() {
    return pieces;
  }
}
