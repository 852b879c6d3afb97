package io.railflux.samples.bench.peers;

/**
 * Counts the messages of a side, or says how to answer each; all of them were touched. The near side takes what comes
 * back as one that answers each. One thread.
 */
final class Arrivals {

  /** Number of the message that asks how many came before it; the answer has that number. */
  static final long END = -1;

  /** No answer. */
  static final long SILENCE = Long.MIN_VALUE;

  private final boolean roundTrip;
  private long counted;
  private long sum;

  Arrivals(boolean roundTrip) {
    this.roundTrip = roundTrip;
  }

  /**
   * Returns the number of the message to answer with, or {@link #SILENCE}.
   *
   * @param touched of all its bytes that were read: nothing of that may be optimized away
   */
  long onMessage(long number, long touched) {
    sum ^= touched;
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

  /** Of all that was touched. */
  long sum() {
    return sum;
  }
}
