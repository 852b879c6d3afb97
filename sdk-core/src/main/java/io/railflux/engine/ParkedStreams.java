package io.railflux.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The announced streams of one peer that wait for a subscriber. One that ends keeps waiting, to tell its
 * subscriber, and makes way for another of its name, or, the eldest first, when there are too many. All
 * leave with the peer. Engine thread only.
 */
final class ParkedStreams {

  private final Map<String, ParkedStream> byName = new LinkedHashMap<>();
  private int ended;

  boolean isOpen(String name) {
    ParkedStream stream = byName.get(name);
    return stream != null && !stream.ended();
  }

  /** Whether one more and those that wait are at most {@code limit}, if need be without some that ended. */
  boolean fits(int limit) {
    if (byName.size() - ended >= limit) {
      return false;
    }
    var eldest = byName.values().iterator();
    while (byName.size() >= limit) {
      if (eldest.next().ended()) {
        eldest.remove();
        ended--;
      }
    }
    return true;
  }

  void park(String name, ParkedStream stream) {
    take(name);
    byName.put(name, stream);
  }

  /** Returns the stream of that name, which waits no longer, or null. */
  ParkedStream take(String name) {
    ParkedStream stream = byName.remove(name);
    if (stream != null && stream.ended()) {
      ended--;
    }
    return stream;
  }

  /** The producer of the stream {@code id} ended. Returns whether one of those waits here. */
  boolean end(long id, Throwable failure) {
    for (var entry : byName.entrySet()) {
      ParkedStream stream = entry.getValue();
      if (stream.id() == id && !stream.ended()) {
        entry.setValue(stream.endedWith(failure));
        ended++;
        return true;
      }
    }
    return false;
  }

  void clear() {
    byName.clear();
    ended = 0;
  }
}
