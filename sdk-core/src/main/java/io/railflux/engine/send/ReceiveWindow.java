package io.railflux.engine.send;

import io.railflux.wire.ResumeInfo;

/**
 * Sequence numbers received from a peer: the expected number (ESN) and the set beyond it. Numbers may wrap, so
 * distances are compared. The size bounds the frames that the peer may have in flight (D3).
 */
public final class ReceiveWindow {

  public enum Verdict {
    /** The expected number; {@link #expected} advanced past it and all numbers received behind it. */
    NEXT,
    /** New, but earlier numbers are missing. */
    AHEAD,
    /** Received before; to be dropped. */
    DUPLICATE,
    /** Beyond the window, which violates the protocol. */
    OUTSIDE
  }

  private final long[] bits;
  private final int size;
  private long expected;
  private int ahead;

  public ReceiveWindow(int size, long first) {
    this.size = size;
    this.bits = new long[size >> 6];
    this.expected = first;
  }

  public long expected() {
    return expected;
  }

  /** Number of frames received beyond a gap. */
  public int ahead() {
    return ahead;
  }

  /** Common case: returns whether this is the expected number and no number is beyond a gap. */
  public boolean acceptNext(long psn) {
    if (psn != expected || ahead > 0) {
      return false;
    }
    expected++;
    return true;
  }

  public Verdict accept(long psn) {
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

  /** Content of a RESUME: bit i is set if expected+i arrived. */
  public ResumeInfo resume(int epoch, int subchannel) {
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
