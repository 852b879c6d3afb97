package io.railflux.engine.path;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Selects the next chunk. Streams and requests take turns, so that none waits for the end of another large message.
 * Messages of one stream are sequential because they are delivered in order. The first message does not wait for
 * later ones, and its memory and place serve the next message. Engine thread only.
 */
final class ChunkTurns<T> {

  private record Line<T>(Object key, ArrayDeque<T> transfers) {}

  // Bounded by the few transfers in flight, so lookups search linearly.
  private final ArrayDeque<Line<T>> turns = new ArrayDeque<>();

  /** @param key the stream of the transfer, or the request itself: transfers of one key are sequential */
  void add(Object key, T transfer) {
    Line<T> line = lineOf(key);
    if (line == null) {
      line = new Line<>(key, new ArrayDeque<>());
      turns.add(line);
    }
    line.transfers.add(transfer);
  }

  private Line<T> lineOf(Object key) {
    for (Line<T> line : turns) {
      if (line.key == key) {
        return line;
      }
    }
    return null;
  }

  /** Returns the transfer whose turn it is; null without any. */
  T peek() {
    Line<T> first = turns.peek();
    return first == null ? null : first.transfers.peek();
  }

  /** Ends the turn of the transfer; without effect if the turn removed all transfers. */
  void moved(T transfer, boolean isOver) {
    if (peek() != transfer) {
      return;
    }
    Line<T> line = turns.poll();
    if (isOver) {
      line.transfers.poll();
    }
    if (!line.transfers.isEmpty()) {
      turns.add(line);
    }
  }

  /** Removes the transfer without a trace. */
  void remove(Object key, T transfer) {
    Line<T> line = lineOf(key);
    if (line != null && line.transfers.remove(transfer) && line.transfers.isEmpty()) {
      turns.remove(line);
    }
  }

  void clear(Consumer<T> each) {
    turns.forEach(line -> line.transfers.forEach(each));
    turns.clear();
  }
}
