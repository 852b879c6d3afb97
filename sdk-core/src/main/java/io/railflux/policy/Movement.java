package io.railflux.policy;

/** Measurement of a large message whose pieces have all arrived. Valid during the call only. */
public interface Movement {

  /**
   * Returns the number of pieces.
   *
   * @return at least 1
   */
  int count();

  /**
   * Returns the path that carried a piece.
   *
   * @param piece index of the piece, 0 to {@code count() - 1}
   * @return the {@link Paths#id} of the path
   */
  int pathId(int piece);

  /**
   * Returns the length of a piece.
   *
   * @param piece index of the piece
   * @return length in bytes
   */
  long bytes(int piece);

  /**
   * Returns the duration of a piece, from the time at which its path could begin with it to its completion.
   *
   * @param piece index of the piece
   * @return duration in nanoseconds, at least 1
   */
  long nanos(int piece);

  /**
   * Returns the uncertainty of the completion time: the time since this side polled before it observed the
   * completion.
   *
   * @param piece index of the piece
   * @return uncertainty in nanoseconds
   */
  long observationGapNanos(int piece);

  /**
   * Returns whether the completion was observed too late for a measurement: the uncertainty exceeds a tenth of the
   * duration (V 7.1.2).
   *
   * @param piece index of the piece
   * @return true if the measurement must be discarded
   */
  default boolean isLate(int piece) {
    return observationGapNanos(piece) * 10 > nanos(piece);
  }
}
