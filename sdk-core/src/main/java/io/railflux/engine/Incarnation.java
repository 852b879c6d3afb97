package io.railflux.engine;

/** The random identity of one life of a node (D7). */
public record Incarnation(long high, long low) {

  /** Nobody in particular. */
  static final Incarnation NONE = new Incarnation(0, 0);

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
