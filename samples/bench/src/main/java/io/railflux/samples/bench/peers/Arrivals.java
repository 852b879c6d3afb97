package io.railflux.samples.bench.peers;

/**
 * Counts the messages of a side, or determines the answer to each. To the near side, returning messages are answered
 * messages. Single-threaded.
 */
final class Arrivals {

  /** Number of the message that requests the count of earlier messages. The answer carries that number. */
  static final long END = -1;

  /** No answer. */
  static final long SILENCE = Long.MIN_VALUE;

  private final boolean roundTrip;
  private long counted;

  Arrivals(boolean roundTrip) {
    this.roundTrip = roundTrip;
  }

  /** Returns the number of the answer, or {@link #SILENCE}. */
  long onMessage(long number) {
    if (roundTrip) {
      return number;
    }
    if (number == END) {
      long answer = counted;
      counted = 0;
      return answer;
    }
    if (number != counted) {
      throw new IllegalStateException("message " + number + " arrived instead of " + counted);
    }
    counted++;
    return SILENCE;
  }
}
