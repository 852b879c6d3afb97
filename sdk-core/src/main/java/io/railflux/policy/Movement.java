package io.railflux.policy;

/**
 * What became of the pieces of one large message, or of one that went whole: told once all of them
 * arrived. A view for the time of a call.
 */
public interface Movement {

  /** How many pieces there were, at least 1. */
  int count();

  /** The {@link Paths#id} of the path that carried a piece. */
  int pathId(int piece);

  /** Its length. */
  long bytes(int piece);

  /** From when its path could begin with it to its completion; at least 1. */
  long nanos(int piece);

  /** How long before its completion was seen this side had not looked: so much later it may be than it was. */
  long observationGapNanos(int piece);

  /** Whether it was seen too late to say much: by more than a tenth of what it took (V 7.1.2). */
  default boolean isLate(int piece) {
    return observationGapNanos(piece) * 10 > nanos(piece);
  }
}
