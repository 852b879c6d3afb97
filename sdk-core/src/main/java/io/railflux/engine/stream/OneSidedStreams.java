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

  private final ParkedStreams parked;
  private final Map<Long, String> unrequested = new ConcurrentHashMap<>();
  private final Set<String> unannounced = ConcurrentHashMap.newKeySet();

  OneSidedStreams(ParkedStreams parked) {
    this.parked = parked;
  }

  void sent(long id, String name) {
    unrequested.put(id, name);
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
        + line("received here, and not announced by the peer: ", unannounced);
  }

  private static String line(String kind, Collection<String> names) {
    Collection<String> all = names.stream().sorted().toList();
    if (all.isEmpty()) {
      return "";
    }
    String more = all.size() > MAX_NAMES ? " and " + (all.size() - MAX_NAMES) + " more" : "";
    return all.stream()
        .limit(MAX_NAMES)
        .map(name -> "'" + name + "'")
        .collect(Collectors.joining(", ", "\n  streams " + kind, more));
  }
}
