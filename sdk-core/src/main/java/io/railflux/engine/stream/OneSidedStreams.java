package io.railflux.engine.stream;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Streams of one peer that only one side knows. Usually the state is brief, but it is permanent if both sides spell the
 * name differently. Written by the engine thread, read by any thread.
 */
public final class OneSidedStreams {

  /** More names would obscure the rest of an explanation. */
  private static final int MAX_NAMES = 20;

  /** Names of the peer that are kept, since a peer may send any number. */
  private static final int MAX_AWAITED = 256;

  private final ParkedStreams parked;
  private final Map<Long, String> unrequested = new ConcurrentHashMap<>();
  private final Set<String> unannounced = ConcurrentHashMap.newKeySet();
  private final Set<String> awaitedByPeer = ConcurrentHashMap.newKeySet();

  OneSidedStreams(ParkedStreams parked) {
    this.parked = parked;
  }

  void sent(long id, String name) {
    unrequested.put(id, name);
    awaitedByPeer.remove(name);
  }

  /** Handles the peer's notice that it has, or no longer has, a subscriber for a stream that is not sent. */
  public void peerAwaits(String name, boolean awaits) {
    if (!awaits) {
      awaitedByPeer.remove(name);
    } else if (awaitedByPeer.size() < MAX_AWAITED && !unrequested.containsValue(name)) {
      awaitedByPeer.add(name);
    }
  }

  /** Returns the end of a sentence about a stream that the peer does not receive. */
  String awaitedByPeer() {
    return listing("; it awaits ", awaitedByPeer);
  }

  /** Returns the end of a sentence about a stream that the peer does not send. */
  String offeredByPeer() {
    return listing("; it offers ", parked.names());
  }

  /** Handles the peer's first demand for a stream of this side, or the end of that stream. */
  void requested(long id) {
    unrequested.remove(id);
  }

  void awaited(String name) {
    unannounced.add(name);
  }

  /** Handles the peer's announcement of a stream received here, or the end of its subscription. */
  void announced(String name) {
    unannounced.remove(name);
  }

  /** Returns one indented line for each non-empty kind, each after a line break. */
  public String explain() {
    return line("sent, and not requested by the peer: ", unrequested.values())
        + line("announced by the peer, and not received here: ", parked.names())
        + line("received here, and not announced by the peer: ", unannounced)
        + line("awaited by the peer, and not sent: ", awaitedByPeer);
  }

  private static String line(String kind, Collection<String> names) {
    return listing("\n  streams " + kind, names);
  }

  private static String listing(String before, Collection<String> names) {
    Collection<String> all = names.stream().sorted().toList();
    if (all.isEmpty()) {
      return "";
    }
    String more = all.size() > MAX_NAMES ? " and " + (all.size() - MAX_NAMES) + " more" : "";
    return all.stream()
        .limit(MAX_NAMES)
        .map(name -> "'" + name + "'")
        .collect(Collectors.joining(", ", before, more));
  }
}
