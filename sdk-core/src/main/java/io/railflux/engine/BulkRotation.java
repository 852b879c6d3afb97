package io.railflux.engine;

import java.util.ArrayDeque;

/**
 * Where a node sends to several peers in bulk, each cycle sends to a few of them, four turns instead of one, and the
 * others wait for theirs: few large writes cost less than many small ones. Each peer gets as much as if all had one turn
 * in each cycle, and whoever waits for the next cycle waits less. Engine thread only.
 */
final class BulkRotation {

  /** Turns in a row at most: 512 KiB, half a ring. More gained nothing (benchmarks.md). */
  static final int MOST_TURNS = 4;

  /** Peers that have their turns in one cycle at most, which so is not longer for more of them. */
  static final int MOST_PEERS = 4;

  private final ArrayDeque<ByteFairMerge> waiting = new ArrayDeque<>();

  /** A cycle begins: whose place has come hears of it. */
  void next() {
    int turns = Math.min(MOST_TURNS, waiting.size());
    int places = Math.min(MOST_PEERS, (waiting.size() + MOST_TURNS - 1) / MOST_TURNS);
    for (int place = 0; place < places; place++) {
      waiting.poll().grant(turns);
    }
  }

  /** Behind those that wait already. */
  void add(ByteFairMerge peer) {
    waiting.add(peer);
  }
}
