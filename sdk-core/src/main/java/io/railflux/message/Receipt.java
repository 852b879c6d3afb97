package io.railflux.message;

import java.util.Objects;

/**
 * Outcome of one message of a stream, as its sender sees it.
 *
 * @param index position of the message in its stream, counted from 0
 * @param outcome outcome of the message
 */
public record Receipt(long index, Outcome outcome) {

  /** Outcome of a message. */
  public enum Outcome {
    /** The message is in the memory of the peer, in order and exactly once. */
    ACKNOWLEDGED,
    /** The time to live elapsed before the message was sent; the peer never receives it. */
    EXPIRED
  }

  /**
   * Validates the parts.
   *
   * @param index position of the message in its stream
   * @param outcome outcome of the message
   * @throws IllegalArgumentException if {@code index} is negative
   * @throws NullPointerException if {@code outcome} is null
   */
  public Receipt {
    if (index < 0) {
      throw new IllegalArgumentException("index of a receipt is negative: " + index);
    }
    Objects.requireNonNull(outcome, "outcome");
  }
}
