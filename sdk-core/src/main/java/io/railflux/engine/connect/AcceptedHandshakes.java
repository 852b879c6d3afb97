package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Handshakes of peers that are not authenticated yet, oldest first. Each handshake holds 32 KiB and its endpoint, so
 * their number is bounded. Engine thread only.
 */
public final class AcceptedHandshakes {

  /** A handshake with an unauthenticated peer. */
  interface Stranger {

    String remoteHost();

    /** Returns whether the endpoint was handed over or closed. */
    boolean hasEnded();

    /** Ends the handshake to make room for another handshake. */
    void evicted();
  }

  /** Minimum number of concurrent handshakes, even where fewer peers may stay. */
  private static final int MIN_HANDSHAKES = 64;

  /** Maximum number of handshakes of one host. A host beyond the maximum loses its own handshakes first. */
  private static final int MAX_HANDSHAKES_OF_HOST = 8;

  private final int most;
  private final ArrayDeque<Stranger> waiting = new ArrayDeque<>();

  AcceptedHandshakes(EngineConfig.Limits limits) {
    this.most = most(limits);
  }

  public static int most(EngineConfig.Limits limits) {
    return Math.max(MIN_HANDSHAKES, limits.maxPeers());
  }

  void add(Stranger accepting) {
    waiting.add(accepting);
  }

  /** Ended handshakes reference a subchannel and thereby the memory of a session. */
  void forgetEnded() {
    waiting.removeIf(Stranger::hasEnded);
  }

  void makeRoom() {
    forgetEnded();
    while (waiting.size() >= most) {
      makeRoomForOne();
    }
  }

  /** Ends one handshake to free its memory. Returns whether there was a handshake to end. */
  boolean makeRoomForOne() {
    waiting.removeIf(Stranger::hasEnded);
    if (waiting.isEmpty()) {
      return false;
    }
    Stranger leaving = leaving();
    waiting.remove(leaving);
    leaving.evicted();
    return true;
  }

  /**
   * Selects the oldest handshake of the host with the most handshakes, or the oldest of all if no host exceeds its
   * maximum. An honest peer completes its handshake quickly. Data shown before the proof of the secret is ignored, as
   * it may be replayed.
   */
  private Stranger leaving() {
    Map<String, Integer> counts = new HashMap<>();
    String crowd = null;
    int largest = MAX_HANDSHAKES_OF_HOST;
    for (Stranger one : waiting) {
      String host = one.remoteHost();
      int count = counts.merge(host, 1, Integer::sum);
      if (count > largest) {
        largest = count;
        crowd = host;
      }
    }
    for (Stranger one : waiting) {
      if (crowd != null && crowd.equals(one.remoteHost())) {
        return one;
      }
    }
    return waiting.getFirst();
  }
}
