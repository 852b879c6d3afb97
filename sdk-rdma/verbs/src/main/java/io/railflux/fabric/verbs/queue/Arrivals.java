package io.railflux.fabric.verbs.queue;

/** Arrived messages that wait for a receive of the engine, oldest first. */
final class Arrivals {

  private final int[] places;
  private final int[] lengths;
  private final int[] immediates;
  private final Kind[] kinds;
  private int first;
  private int count;

  private enum Kind {
    IMMEDIATE,
    PIECE,
    LAST
  }

  /** @param capacity number of receives in hardware, which bounds the arrivals */
  Arrivals(int capacity) {
    places = new int[capacity];
    lengths = new int[capacity];
    immediates = new int[capacity];
    kinds = new Kind[capacity];
  }

  void addImmediate(int place, int length, int immediate) {
    add(place, length, immediate, Kind.IMMEDIATE);
  }

  void addBytes(int place, int length, boolean last) {
    add(place, length, 0, last ? Kind.LAST : Kind.PIECE);
  }

  private void add(int place, int length, int immediate, Kind kind) {
    int at = (first + count++) % places.length;
    places[at] = place;
    lengths[at] = length;
    immediates[at] = immediate;
    kinds[at] = kind;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int place() {
    return places[first];
  }

  int length() {
    return lengths[first];
  }

  int immediate() {
    return immediates[first];
  }

  boolean isImmediate() {
    return kinds[first] == Kind.IMMEDIATE;
  }

  /** Whether the bytes end their message. */
  boolean isLast() {
    return kinds[first] == Kind.LAST;
  }

  /** Returns the free place in hardware. */
  int remove() {
    int place = places[first];
    first = (first + 1) % places.length;
    count--;
    return place;
  }
}
