package io.railflux.engine;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Whose chunk is next. Streams and requests take turns, so that none waits for the end of another's large
 * message. Messages of one stream go one after the other: they are delivered in order, so the first is not
 * to wait for the others, and while they follow, its memory and the place it took serve the next one. Engine
 * thread only.
 */
final class ChunkTurns<T> {

  private record Line<T>(Object key, ArrayDeque<T> transfers) {}

  // As many as there are transfers at most, and those are few: searched by looking at each.
  private final ArrayDeque<Line<T>> turns = new ArrayDeque<>();

  /** @param stream what {@code transfer} is of; null for a request */
  void add(Object stream, T transfer) {
    Object key = stream == null ? transfer : stream;
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

  /** Whose turn it is; null when nothing is to be moved. */
  T peek() {
    Line<T> first = turns.peek();
    return first == null ? null : first.transfers.peek();
  }

  /** That one had its turn; nothing to do where the turn ended everything. */
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

  /** As if it had never come. */
  void remove(Object stream, T transfer) {
    Line<T> line = lineOf(stream == null ? transfer : stream);
    if (line != null && line.transfers.remove(transfer) && line.transfers.isEmpty()) {
      turns.remove(line);
    }
  }

  void clear(Consumer<T> each) {
    turns.forEach(line -> line.transfers.forEach(each));
    turns.clear();
  }
}
