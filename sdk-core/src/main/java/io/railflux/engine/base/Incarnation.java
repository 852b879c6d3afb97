package io.railflux.engine.base;

/** The random identity of a node from its start to its end (D7). */
public record Incarnation(long high, long low) {

  /** The identity of no node. */
  public static final Incarnation NONE = new Incarnation(0, 0);

  /** Orders two nodes; both sides obtain the same result. */
  public boolean isHigherThan(Incarnation other) {
    int first = Long.compareUnsigned(high, other.high);
    return first > 0 || (first == 0 && Long.compareUnsigned(low, other.low) > 0);
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
