package io.railflux.samples.bench.peers;

/**
 * Counts the messages of a side, or says how to answer each. The near side takes what comes back as one that answers
 * each. One thread.
 */
final class Arrivals {

  /** Number of the message that asks how many came before it; the answer has that number. */
  static final long END = -1;

  /** No answer. */
  static final long SILENCE = Long.MIN_VALUE;

  private final boolean roundTrip;
  private long counted;

  Arrivals(boolean roundTrip) {
    this.roundTrip = roundTrip;
  }

  /** Returns the number of the message to answer with, or {@link #SILENCE}. */
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
      throw new IllegalStateException("message " + number + " came where " + counted + " was due");
    }
    counted++;
    return SILENCE;
  }
}
