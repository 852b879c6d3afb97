package io.railflux.engine;

import io.railflux.wire.ResumeInfo;

/**
 * Which sequence numbers of a peer arrived: the expected one (ESN) and the set beyond it. Numbers may
 * wrap; distances are compared. Its size bounds what the peer may have in flight (D3).
 */
final class ReceiveWindow {

  enum Verdict {
    /** The expected number; {@link #expected} moved past it and all that arrived behind it. */
    NEXT,
    /** New, but earlier ones are missing. */
    AHEAD,
    /** Seen before: to be dropped. */
    DUPLICATE,
    /** Further ahead than the window allows: the peer violates the protocol. */
    OUTSIDE
  }

  private final long[] bits;
  private final int size;
  private long expected;
  private int ahead;

  ReceiveWindow(int size, long first) {
    this.size = size;
    this.bits = new long[size >> 6];
    this.expected = first;
  }

  long expected() {
    return expected;
  }

  /** How many arrived beyond a gap. */
  int ahead() {
    return ahead;
  }

  /** The common case: returns whether this is the expected number and nothing is beyond a gap. */
  boolean acceptNext(long psn) {
    if (psn != expected || ahead > 0) {
      return false;
    }
    expected++;
    return true;
  }

  Verdict accept(long psn) {
    long distance = psn - expected;
    if (distance == 0) {
      advance();
      return Verdict.NEXT;
    }
    if (distance < 0) {
      return Verdict.DUPLICATE;
    }
    if (distance >= size) {
      return Verdict.OUTSIDE;
    }
    int word = word(psn);
    if ((bits[word] & 1L << psn) != 0) {
      return Verdict.DUPLICATE;
    }
    bits[word] |= 1L << psn;
    ahead++;
    return Verdict.AHEAD;
  }

  private void advance() {
    expected++;
    while (ahead > 0 && (bits[word(expected)] & 1L << expected) != 0) {
      bits[word(expected)] &= ~(1L << expected);
      ahead--;
      expected++;
    }
  }

  private int word(long psn) {
    return (int) (psn & size - 1) >> 6;
  }

  /** Content of a RESUME: bit i tells that expected+i arrived. */
  ResumeInfo resume(int epoch, int subchannel) {
    long[] set = new long[ahead == 0 ? 0 : size >> 6];
    int left = ahead;
    int last = -1;
    for (int i = 1; left > 0; i++) {
      long psn = expected + i;
      if ((bits[word(psn)] & 1L << psn) != 0) {
        set[i >> 6] |= 1L << i;
        last = i >> 6;
        left--;
      }
    }
    return new ResumeInfo(epoch, subchannel, expected, java.util.Arrays.copyOf(set, last + 1));
  }
}
