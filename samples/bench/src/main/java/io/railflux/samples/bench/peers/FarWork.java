package io.railflux.samples.bench.peers;

/** What a side does with messages that were touched; the near one takes them as it would send them back. One thread. */
final class FarWork {

  /** Number of the message that asks how many came before it; the answer has that number. */
  static final long END = -1;

  /** No answer. */
  static final long SILENCE = Long.MIN_VALUE;

  private final boolean roundTrip;
  private long counted;
  private long sum;

  FarWork(boolean roundTrip) {
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

  long sum() {
    return sum;
  }
}
