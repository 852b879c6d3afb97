package io.railflux.message;

import java.util.Objects;

/**
 * What became of one message of a stream.
 *
 * @param index position of the message in its stream, counted from 0
 * @param outcome how it ended
 */
public record Receipt(long index, Outcome outcome) {

  /** The end of a message's life as its sender sees it. */
  public enum Outcome {
    /** The message is in the peer's memory, in order and exactly once. */
    ACKNOWLEDGED,
    /** Its time to live ended before it was sent; the peer never sees it. */
    EXPIRED
  }

  /** Refuses a negative index and a missing outcome. */
  public Receipt {
    if (index < 0) {
      throw new IllegalArgumentException("index of a receipt is negative: " + index);
    }
    Objects.requireNonNull(outcome, "outcome");
  }
}
