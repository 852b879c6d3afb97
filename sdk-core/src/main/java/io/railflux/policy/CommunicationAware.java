package io.railflux.policy;

/**
 * MR9: V 6.2. What belongs to a request is cut over all paths, as somebody waits for all of it.
 * Messages of streams, of which many are under way, go whole and in turn, which costs less. Both by weights
 * that follow what paths move (MR6), of messages that went whole as well: the paper's turns would let a fast
 * rail wait for a slow one. Small messages go where least is under way by what the path moves, a window of
 * them at a time, so that few overtake each other; the paper leaves hot-spots of small messages open (V 8.3.3).
 */
public final class CommunicationAware implements StripingPolicy {

  /** Below it a message is not cut (V 6.2.3). */
  public static final int THRESHOLD_BYTES = 16 << 10;

  /** How much the last measurement counts; high, so that a path that became slow is soon left (V 8.2.1). */
  private static final double ALPHA = 0.5;

  /** Frames of small messages that take the same path. */
  private static final int WINDOW = 16;

  private final Weights weights = new Weights();
  private final WeightedTurns turns = new WeightedTurns();
  private int windowPath;
  private int windowLeft;

  /** For one peer, all of whose paths are worth the same at first. */
  public CommunicationAware() {}

  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    align(live);
    if (lengthBytes >= THRESHOLD_BYTES) {
      return turn(lengthBytes);
    }
    if (windowLeft == 0 || windowPath >= live.count()) {
      windowLeft = WINDOW;
      windowPath = leastLoaded(live, lengthBytes);
    }
    windowLeft--;
    return windowPath;
  }

  private int turn(int lengthBytes) {
    for (int i = 0; i < weights.count(); i++) {
      turns.add(i, weights.of(i) * lengthBytes);
    }
    return turns.take(lengthBytes);
  }

  private int leastLoaded(Paths live, int lengthBytes) {
    int least = 0;
    double leastTime = Double.MAX_VALUE;
    for (int i = 0; i < live.count(); i++) {
      double time = (live.pendingBytes(i) + lengthBytes) / weights.of(i);
      if (time < leastTime) {
        leastTime = time;
        least = i;
      }
    }
    return least;
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    align(live);
    if (marker == Marker.STREAM || lengthBytes < THRESHOLD_BYTES) {
      shares.whole(turn(lengthBytes));
      return;
    }
    for (int i = 0; i < weights.count(); i++) {
      shares.set(i, weights.of(i));
    }
  }

  /** Once there is something to compare with: one path alone would keep what it has. */
  @Override
  public void moved(Paths live, Movement movement) {
    align(live);
    weights.measure(movement);
    if (weights.measured() >= 2) {
      weights.redistribute(ALPHA);
    }
  }

  @Override
  public double weight(Paths live, int path) {
    align(live);
    return weights.of(path);
  }

  private void align(Paths live) {
    if (weights.align(live)) {
      turns.reset(live.count());
      windowLeft = 0;
    }
  }
}
