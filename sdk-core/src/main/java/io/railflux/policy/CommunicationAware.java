package io.railflux.policy;

/**
 * Default striping policy (MR9: V 6.2). It cuts requests, replies and very large messages of streams over all paths,
 * so that all pieces arrive at the same time. Other messages of streams go whole over the path on which they arrive
 * first. Both decisions use the bytes in flight and weights that follow the measured rates (MR6).
 *
 * <p>Small messages take the same path for a window of 16 frames, so that few overtake each other. The turns of the
 * paper would let a fast rail wait for a slow one.
 */
public final class CommunicationAware implements StripingPolicy {

  /** Smallest message in bytes that is cut (V 6.2.3). */
  public static final int THRESHOLD_BYTES = 16 << 10;

  /** Smallest message of a stream in bytes that is cut: sent whole, it would occupy one path for long. */
  public static final int STREAM_THRESHOLD_BYTES = 1 << 20;

  /**
   * Share of the last measurement in a weight. It is smaller than in the paper (V 8.2.1), because bytes in flight
   * count too.
   */
  private static final double ALPHA = 0.5;

  /** Number of frames with small messages that take the same path. */
  private static final int WINDOW = 16;

  private final Weights weights = new Weights();
  private int windowPath;
  private int windowLeft;

  /** Creates a policy for one peer, with equal weights. */
  public CommunicationAware() {}

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    align(live);
    if (lengthBytes >= THRESHOLD_BYTES) {
      return soonest(live, lengthBytes);
    }
    if (windowLeft == 0 || windowPath >= live.count()) {
      windowLeft = WINDOW;
      windowPath = soonest(live, lengthBytes);
    }
    windowLeft--;
    return windowPath;
  }

  private int soonest(Paths live, int lengthBytes) {
    int soonest = 0;
    double minTime = Double.MAX_VALUE;
    for (int i = 0; i < live.count(); i++) {
      double time = (live.pendingBytes(i) + lengthBytes) / weights.of(i);
      if (time < minTime && !awaitsFirst(live, i)) {
        minTime = time;
        soonest = i;
      }
    }
    return soonest;
  }

  /**
   * Whether the path waits for its first measurement beside measured ones. One message measures it; more could wait
   * there for long.
   */
  private boolean awaitsFirst(Paths live, int path) {
    return live.pendingLargeBytes(path) > 0 && !weights.isKnown(path) && weights.known() > 0;
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    align(live);
    int least = marker == Marker.STREAM ? STREAM_THRESHOLD_BYTES : THRESHOLD_BYTES;
    if (lengthBytes < least) {
      shares.whole(soonest(live, lengthBytes));
    } else {
      fill(live, lengthBytes, shares);
    }
  }

  /**
   * Fills the paths so that all of them finish at the same time. A path that would finish later on its own gets
   * nothing.
   */
  private void fill(Paths live, int lengthBytes, Shares shares) {
    double until = Double.MAX_VALUE;
    // Rounding may raise the value at the end, which ends the loop.
    for (double next = until(live, lengthBytes, until); next < until; ) {
      until = next;
      next = until(live, lengthBytes, until);
    }
    for (int i = 0; i < live.count(); i++) {
      double bytes = weights.of(i) * until - live.pendingBytes(i);
      shares.set(i, awaitsFirst(live, i) ? 0 : Math.max(0, bytes));
    }
  }

  /**
   * Time at which the paths that finish before {@code before} finish if they share the message; converges to the
   * result.
   */
  private double until(Paths live, int lengthBytes, double before) {
    double bytes = lengthBytes;
    double weight = 0;
    for (int i = 0; i < live.count(); i++) {
      if (live.pendingBytes(i) < weights.of(i) * before && !awaitsFirst(live, i)) {
        bytes += live.pendingBytes(i);
        weight += weights.of(i);
      }
    }
    return bytes / weight;
  }

  /** Adjusts the weights once two paths are measured. */
  @Override
  public void moved(Paths live, Movement movement) {
    align(live);
    weights.measure(movement);
    if (weights.measured() >= 2) {
      // Unknown weights must not slow down the adaptation.
      weights.redistribute(weights.known() == weights.count() ? ALPHA : 1);
    }
    knowLate(movement);
  }

  /**
   * Accepts the present weight of a path whose measurements are all late; it would otherwise wait for a measurement
   * for ever.
   */
  private void knowLate(Movement movement) {
    for (int i = 0; i < movement.count(); i++) {
      int path = weights.indexOf(movement.pathId(i));
      if (path >= 0 && movement.isLate(i)) {
        weights.know(path);
      }
    }
  }

  @Override
  public double weight(Paths live, int path) {
    align(live);
    return weights.of(path);
  }

  private void align(Paths live) {
    if (weights.align(live)) {
      windowLeft = 0;
    }
  }
}
