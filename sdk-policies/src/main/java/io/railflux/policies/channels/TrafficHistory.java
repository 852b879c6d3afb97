package io.railflux.policies.channels;

import io.railflux.policies.channels.AdaptiveParameters.ChoiceLimits;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;

/**
 * Messages of each peer up to each tick, for a bounded number of ticks (T 4.2: the table of communication statistics).
 * Ticks count from 0, which precedes all messages.
 *
 * <p>A row contains sums over all peers that ever had a number, so that no row changes when a number is reused.
 */
final class TrafficHistory {

  /** Rows grow by this many peers at once. */
  private static final int ROUNDING = 64;

  private final ChoiceLimits limits;
  /** Rows by tick, modulo the length. */
  private final long[][] rows;

  private long oldestTick;
  private long lastTick;
  /** Sum of each number when its present peer joined. */
  private long[] joined = new long[0];

  TrafficHistory(ChoiceLimits limits) {
    this.limits = limits;
    this.rows = new long[limits.historyEntries()][];
    rows[0] = new long[0];
  }

  /** Ends a tick. */
  void add(ChannelTraffic traffic) {
    long[] before = row(lastTick);
    int peers = traffic.peers();
    if (joined.length < peers) {
      joined = Arrays.copyOf(joined, (peers + ROUNDING - 1) / ROUNDING * ROUNDING);
    }
    long[] now = emptyRow();
    System.arraycopy(before, 0, now, 0, before.length);
    Arrays.fill(now, before.length, now.length, 0);
    for (int peer = 0; peer < peers; peer++) {
      if (traffic.isPresent(peer)) {
        now[peer] += traffic.receivedMessages(peer);
      }
    }
    lastTick++;
    rows[slot(lastTick)] = now;
  }

  /** Drops the oldest rows, so that another one fits, and returns the last of them if it is long enough. */
  private long[] emptyRow() {
    long[] spare = null;
    int maxEntries = limits.historyEntries(joined.length);
    // The row of the last tick is the base of the next one.
    while (lastTick - oldestTick + 1 >= maxEntries) {
      spare = row(oldestTick);
      rows[slot(oldestTick)] = null;
      oldestTick++;
    }
    return spare != null && spare.length == joined.length ? spare : new long[joined.length];
  }

  /** A later peer reuses the number. */
  void left(int peer) {
    long[] last = row(lastTick);
    if (peer < last.length) {
      joined[peer] = last[peer];
    }
  }

  /** Returns the present tick. */
  long lastTick() {
    return lastTick;
  }

  /** Returns the number of ticks that are kept. */
  int entries() {
    return (int) (lastTick - oldestTick + 1);
  }

  /**
   * Reads the messages that a peer sent since a tick and since it joined.
   *
   * @param tick the begin; the oldest tick that is kept replaces an older one
   * @param peer number of the peer
   */
  long since(long tick, int peer) {
    long[] begin = row(Math.max(tick, oldestTick));
    long before = peer < begin.length ? begin[peer] : 0;
    return row(lastTick)[peer] - Math.max(before, joined[peer]);
  }

  private long[] row(long tick) {
    return rows[slot(tick)];
  }

  private int slot(long tick) {
    return (int) (tick % rows.length);
  }
}
