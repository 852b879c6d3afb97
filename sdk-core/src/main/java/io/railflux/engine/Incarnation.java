package io.railflux.engine;

/** The random identity of one life of a node (D7). */
public record Incarnation(long high, long low) {

  /** Nobody in particular. */
  static final Incarnation NONE = new Incarnation(0, 0);

  /** Of two nodes one is the higher, whichever asks. */
  boolean isHigherThan(Incarnation other) {
    int first = Long.compareUnsigned(high, other.high);
    return first > 0 || (first == 0 && Long.compareUnsigned(low, other.low) > 0);
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
