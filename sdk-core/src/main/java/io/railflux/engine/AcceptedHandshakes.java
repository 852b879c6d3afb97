package io.railflux.engine;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Handshakes of peers that have not shown yet who they are, oldest first. Each holds 32 KiB and its endpoint, so there
 * is room for some only. Engine thread only.
 */
final class AcceptedHandshakes {

  /** So many may connect at the same time, however few may stay. */
  private static final int LEAST = 64;

  /** More than that of one host are a crowd, which takes room from itself alone. */
  private static final int CROWD = 8;

  private final int most;
  private final ArrayDeque<AcceptingHandshake> waiting = new ArrayDeque<>();

  AcceptedHandshakes(EngineConfig.Limits limits) {
    this.most = most(limits);
  }

  static int most(EngineConfig.Limits limits) {
    return Math.max(LEAST, limits.maxPeers());
  }

  void add(AcceptingHandshake accepting) {
    waiting.add(accepting);
  }

  void makeRoom() {
    waiting.removeIf(Handshake::hasEnded);
    while (waiting.size() >= most) {
      AcceptingHandshake leaving = leaving();
      waiting.remove(leaving);
      leaving.crowdedOut();
    }
  }

  /**
   * Who took longest to show who it is, of the host that has most if that is a crowd: an honest peer is through within a
   * moment. What one has shown before it has shown the secret counts for nothing, as others may have said it first.
   */
  private AcceptingHandshake leaving() {
    Map<String, Integer> counts = new HashMap<>();
    String crowd = null;
    int largest = CROWD;
    for (AcceptingHandshake one : waiting) {
      String host = one.endpoint.remoteHost();
      int count = counts.merge(host, 1, Integer::sum);
      if (count > largest) {
        largest = count;
        crowd = host;
      }
    }
    for (AcceptingHandshake one : waiting) {
      if (crowd != null && crowd.equals(one.endpoint.remoteHost())) {
        return one;
      }
    }
    return waiting.getFirst();
  }
}
