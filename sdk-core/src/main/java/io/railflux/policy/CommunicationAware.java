package io.railflux.policy;

/**
 * MR9: V 6.2. What belongs to a request is cut over all paths, as somebody waits for all of it; so are
 * very large messages of streams. Others of streams, of which many are under way, go whole, which costs less. Pieces
 * are such that all of them are there at the same time, and what is whole goes where it is there first: by what is
 * under way, and by weights that follow what paths move (MR6), in whole messages as well. The paper's turns would
 * let a fast rail wait for a slow one. Small messages go likewise, a window of them at a time, so that few overtake
 * each other; the paper leaves hot-spots of small messages open (V 8.3.3).
 */
public final class CommunicationAware implements StripingPolicy {

  /** Below it a message is not cut (V 6.2.3). */
  public static final int THRESHOLD_BYTES = 16 << 10;

  /** The same of streams: whole, it would keep one path busy for long, and those behind it waiting. */
  public static final int STREAM_THRESHOLD_BYTES = 1 << 20;

  /** How much the last measurement counts: less than in the paper (V 8.2.1), as what is under way counts, too. */
  private static final double ALPHA = 0.5;

  /** Frames of small messages that take the same path. */
  private static final int WINDOW = 16;

  private final Weights weights = new Weights();
  private int windowPath;
  private int windowLeft;

  /** For one peer, all of whose paths are worth the same at first. */
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
    double leastTime = Double.MAX_VALUE;
    for (int i = 0; i < live.count(); i++) {
      double time = (live.pendingBytes(i) + lengthBytes) / weights.of(i);
      if (time < leastTime && !awaitsFirst(live, i)) {
        leastTime = time;
        soonest = i;
      }
    }
    return soonest;
  }

  /** A path beside others that are known: one message finds out what it moves; more might wait there for long. */
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

  /** Each path gets what it can move until all of them are done; none that is not done before. */
  private void fill(Paths live, int lengthBytes, Shares shares) {
    double until = Double.MAX_VALUE;
    // Rounding may let it rise at the end: then it is there.
    for (double next = until(live, lengthBytes, until); next < until; ) {
      until = next;
      next = until(live, lengthBytes, until);
    }
    for (int i = 0; i < live.count(); i++) {
      double bytes = weights.of(i) * until - live.pendingBytes(i);
      shares.set(i, awaitsFirst(live, i) ? 0 : Math.max(0, bytes));
    }
  }

  /** When those paths are done that would be so before, if they shared the message; falls towards the answer. */
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

  /** Once there is something to compare with: one path alone would keep what it has. */
  @Override
  public void moved(Paths live, Movement movement) {
    align(live);
    weights.measure(movement);
    if (weights.measured() >= 2) {
      // What is not known is no reason to learn slowly.
      weights.redistribute(weights.known() == weights.count() ? ALPHA : 1);
    }
    knowLate(movement);
  }

  /** A path all of whose messages are seen late would wait for its first measurement for ever. */
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
