package io.railflux.engine;

import java.util.ArrayDeque;

/**
 * Where a node sends to more than four peers in bulk, each cycle sends to a few of them, four turns instead of one, and the
 * others wait for theirs: few large writes cost less than many small ones, and a cycle takes no longer than one turn of
 * all, with more than 16 peers less. All get equally much but those that lack room: they take no part, and send what
 * their readers make room for. Engine thread only.
 */
final class BulkRotation {

  /** Turns in a row at most: 512 KiB of a stream. Eight gained nothing beside four. */
  static final int MOST_TURNS = 4;

  /** Peers that have their turns in one cycle at most, which so is not longer for more of them. */
  static final int MOST_PEERS = 4;

  private final ArrayDeque<ByteFairMerge> waiting = new ArrayDeque<>();

  /** A cycle begins: whose place has come hears of it. */
  void next() {
    if (allHaveTurnsInEachCycle()) {
      grant(waiting.size(), 1);
    } else {
      grant(Math.min(MOST_PEERS, waiting.size() / MOST_TURNS), MOST_TURNS);
    }
  }

  private void grant(int places, int turns) {
    for (int place = 0; place < places; place++) {
      waiting.poll().grant(turns);
    }
  }

  /** Behind those that wait already. */
  void add(ByteFairMerge peer) {
    waiting.add(peer);
  }

  /** So few peers need not take turns: what each sends may leave with what it sends in the next cycle. */
  boolean allHaveTurnsInEachCycle() {
    return waiting.size() <= MOST_PEERS;
  }
}
