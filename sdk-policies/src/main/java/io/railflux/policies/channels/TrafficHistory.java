package io.railflux.policies.channels;

/**
 * Messages of each peer up to each tick, for a bounded number of ticks (T 4.2: the table of communication statistics).
 * Ticks count from 0, which precedes all messages.
 */
final class TrafficHistory {

  private final int peers;
  private final int maxEntries;
  private final long[][] cumulative;
  private long lastTick;

  /**
   * Creates a history without messages.
   *
   * @param peers number of peers
   * @param maxEntries maximum number of ticks that are kept, at least 2
   */
  TrafficHistory(int peers, int maxEntries) {
    this.peers = peers;
    this.maxEntries = maxEntries;
    this.cumulative = new long[maxEntries][];
    cumulative[0] = new long[peers];
  }

  /** Ends a unit of time in which each peer sent {@code messages}. */
  void add(long[] messages) {
    long[] before = entry(lastTick);
    lastTick++;
    long[] now = entry(lastTick);
    if (now == null) {
      now = new long[peers];
      cumulative[slot(lastTick)] = now;
    }
    for (int peer = 0; peer < peers; peer++) {
      now[peer] = before[peer] + messages[peer];
    }
  }

  /** Returns the present tick. */
  long lastTick() {
    return lastTick;
  }

  /**
   * Reads the messages of each peer since a tick.
   *
   * @param tick the begin; the oldest tick that is kept replaces an older one
   * @param into receives the messages
   */
  void since(long tick, long[] into) {
    long[] begin = entry(Math.max(tick, lastTick - maxEntries + 1));
    long[] end = entry(lastTick);
    for (int peer = 0; peer < peers; peer++) {
      into[peer] = end[peer] - begin[peer];
    }
  }

  private long[] entry(long tick) {
    return cumulative[slot(tick)];
  }

  private int slot(long tick) {
    return (int) (tick % maxEntries);
  }
}
