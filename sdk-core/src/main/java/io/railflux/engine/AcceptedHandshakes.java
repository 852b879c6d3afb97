package io.railflux.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Handshakes of peers that have not shown yet who they are, oldest first. Each holds 32 KiB and its endpoint, so there
 * is room for some only; who floods takes it from itself. Engine thread only.
 */
final class AcceptedHandshakes {

  /** So many may connect at the same time, however few may stay. */
  private static final int LEAST = 64;

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

  /** Who knows the secret, if there is one, stays before others do. */
  private AcceptingHandshake leaving() {
    List<AcceptingHandshake> silent =
        waiting.stream().filter(Predicate.not(AcceptingHandshake::wasGreeted)).toList();
    return oldestOfCrowd(silent.isEmpty() ? waiting : silent);
  }

  /** Of the host that has most, the one that took longest: an honest peer is through within a moment. */
  private static AcceptingHandshake oldestOfCrowd(Collection<AcceptingHandshake> some) {
    Map<String, List<AcceptingHandshake>> hosts = new LinkedHashMap<>();
    for (AcceptingHandshake one : some) {
      hosts
          .computeIfAbsent(one.endpoint.remoteHost(), host -> new ArrayList<>())
          .add(one);
    }
    return Collections.max(hosts.values(), Comparator.comparingInt(List::size)).get(0);
  }
}
