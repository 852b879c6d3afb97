package io.railflux.policies.channels;

/**
 * The cost model of adaptive channels (T 3.2, Table 2). All amounts relate to a pooled channel.
 *
 * @param gains effect of a channel on each message
 * @param setup cost of a new channel
 * @param limits bounds of the choice
 */
record AdaptiveParameters(Gains gains, Setup setup, Limits limits) {

  /** The parameters of the paper's evaluation (T Table 2). */
  static final AdaptiveParameters PAPER = new AdaptiveParameters(
      new Gains(150_000, 100_000, 300_000, 16, 10_000),
      new Setup(10_000_000, 10_000_000),
      new Limits(256, 26, 128, 2_048, 25_000));

  /**
   * Effect of a channel on each message, in picoseconds. Integers make the search exact.
   *
   * @param dedicatedPicos reduction of latency by a dedicated ring, the paper's r
   * @param sharedPicos reduction of latency by a ring behind a shared endpoint, the paper's d
   * @param creditPicos cost of a credit message at the receiver, the paper's c
   * @param messagesPerCredit messages that one credit message acknowledges, the paper's s
   * @param failedPollPicos cost of polling a ring without a message, the paper's p
   */
  record Gains(
      long dedicatedPicos,
      long sharedPicos,
      long creditPicos,
      int messagesPerCredit,
      long failedPollPicos) {

    Gains {
      requireNotNegative("creditPicos", creditPicos);
      requireNotNegative("failedPollPicos", failedPollPicos);
      if (messagesPerCredit < 1) {
        throw new IllegalArgumentException(
            "messagesPerCredit must be at least 1, was " + messagesPerCredit);
      }
    }

    /** Returns the net gain of a message over a dedicated ring. */
    long dedicatedNetPicos() {
      return dedicatedPicos - creditPicos / messagesPerCredit;
    }

    /** Returns the net gain of a message over a ring behind a shared endpoint. */
    long sharedNetPicos() {
      return sharedPicos - creditPicos / messagesPerCredit;
    }
  }

  /**
   * Cost of a new channel, in picoseconds.
   *
   * @param dedicatedPicos cost of a dedicated ring and its endpoint, the paper's ρ
   * @param sharedPicos cost of a ring behind a shared endpoint, the paper's δ
   */
  record Setup(long dedicatedPicos, long sharedPicos) {

    Setup {
      requireNotNegative("dedicatedPicos", dedicatedPicos);
      requireNotNegative("sharedPicos", sharedPicos);
    }
  }

  /**
   * Bounds of the choice.
   *
   * @param maxRings maximum number of peers with a ring, the paper's τ
   * @param maxDedicated maximum number of peers with an endpoint of their own, the paper's h
   * @param pooledEndpoints maximum number of endpoints that exist, in use or parked, the paper's π
   * @param historyEntries entries of the statistics for up to 1,024 peers, the paper's σ
   * @param minGainPicos gain per message that justifies a new mapping, the paper's γ
   */
  record Limits(
      int maxRings, int maxDedicated, int pooledEndpoints, int historyEntries, long minGainPicos) {

    private static final int UNTHINNED_PEERS_BITS = 10;

    Limits {
      requireNotNegative("maxRings", maxRings);
      requireNotNegative("maxDedicated", maxDedicated);
      requireNotNegative("pooledEndpoints", pooledEndpoints);
      requireNotNegative("minGainPicos", minGainPicos);
      if (historyEntries < 2) {
        throw new IllegalArgumentException(
            "historyEntries must be at least 2, was " + historyEntries);
      }
    }

    /** Returns the entries of the statistics for a number of peers: above 1,024 peers they are thinned (T Table 2). */
    int historyEntries(int peers) {
      double excessBits = Math.log(Math.max(1, peers)) / Math.log(2) - UNTHINNED_PEERS_BITS;
      return (int) Math.max(2, historyEntries / Math.max(1, 2 * excessBits));
    }
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative, was " + value);
    }
  }
}
