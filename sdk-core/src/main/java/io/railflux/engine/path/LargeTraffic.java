package io.railflux.engine.path;

/** Traffic of large messages over all paths to one peer, in both directions. Engine thread only. */
public final class LargeTraffic {

  private long movedBytes;
  private long pieces;
  private Runnable listener = () -> {};

  /**
   * Sets the listener.
   *
   * @param newListener runs for each large message that begins at either side
   */
  public void onBegin(Runnable newListener) {
    listener = newListener;
  }

  public void begun() {
    listener.run();
  }

  /** Records a piece that arrived at its destination. */
  public void moved(long bytes) {
    if (bytes > 0) {
      movedBytes += bytes;
      pieces++;
    }
  }

  long movedBytes() {
    return movedBytes;
  }

  /** Number of arrived pieces, which bounds the accuracy of a rate. */
  long pieces() {
    return pieces;
  }
}
