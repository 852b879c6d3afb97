package io.railflux.engine.stream;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The announced streams of one peer that wait for a subscriber. An ended stream keeps waiting to notify its subscriber.
 * It makes way for another stream of its name, or, oldest first, when there are too many streams. All streams are
 * dropped with the peer. Engine thread only.
 */
final class ParkedStreams {

  /**
   * An announced stream without a subscriber here, perhaps because its predecessor still drains. It is half-closed on
   * this side, as it has no {@link InboundStream} yet.
   *
   * @param firstSeq number of its first message; no message arrives without demand
   * @param context entries of the announcement's context
   * @param ended whether the producer ended meanwhile, with {@code failure}, or normally if that is null
   */
  record Parked(
      long id,
      long firstSeq,
      String codec,
      boolean positioned,
      Map<String, String> context,
      boolean ended,
      Throwable failure) {

    Parked endedWith(Throwable error) {
      return new Parked(id, firstSeq, codec, positioned, context, true, error);
    }
  }

  private final Map<String, Parked> byName = new LinkedHashMap<>();
  /** The same names, with the times at which the streams were parked. Readable by any thread. */
  private final Map<String, Long> sinceNanos = new ConcurrentHashMap<>();

  private int ended;

  /** Returns the names of the waiting streams. Any thread. */
  Collection<String> names() {
    return sinceNanos.keySet();
  }

  /** Returns the times at which the waiting streams were announced. Any thread. */
  Map<String, Long> sinceNanos() {
    return sinceNanos;
  }

  boolean isOpen(String name) {
    Parked stream = byName.get(name);
    return stream != null && !stream.ended();
  }

  /** Returns whether one more stream stays within {@code limit}. Drops ended streams if necessary. */
  boolean fits(int limit) {
    if (byName.size() - ended >= limit) {
      return false;
    }
    var eldest = byName.entrySet().iterator();
    while (byName.size() >= limit) {
      var next = eldest.next();
      if (next.getValue().ended()) {
        sinceNanos.remove(next.getKey());
        eldest.remove();
        ended--;
      }
    }
    return true;
  }

  void park(String name, Parked stream, long nowNanos) {
    take(name);
    byName.put(name, stream);
    sinceNanos.put(name, nowNanos);
  }

  /** Removes and returns the stream of the name, or null. */
  Parked take(String name) {
    Parked stream = byName.remove(name);
    sinceNanos.remove(name);
    if (stream != null && stream.ended()) {
      ended--;
    }
    return stream;
  }

  /**
   * Handles the end of the producer of stream {@code id}. Returns whether the stream waits here.
   *
   * @param failure creates the error of a stream from its name; returns null if the stream completed
   */
  boolean end(long id, Function<String, Throwable> failure) {
    for (var entry : byName.entrySet()) {
      Parked stream = entry.getValue();
      if (stream.id() == id && !stream.ended()) {
        entry.setValue(stream.endedWith(failure.apply(entry.getKey())));
        ended++;
        return true;
      }
    }
    return false;
  }

  void clear() {
    byName.clear();
    sinceNanos.clear();
    ended = 0;
  }
}
