package io.railflux.policies.channels;

import java.util.Objects;

/**
 * The cost model of adaptive channels (T 3.2, Table 2). All amounts relate to a pooled channel.
 *
 * @param gains effect of a channel on each message
 * @param setup cost of a new channel
 * @param limits bounds of the choice
 */
public record AdaptiveParameters(Gains gains, Setup setup, ChoiceLimits limits) {

  /** The parameters of the paper's evaluation, for InfiniBand (T Table 2). */
  public static final AdaptiveParameters PAPER = new AdaptiveParameters(
      new Gains(150_000, 100_000, 300_000, 16, 10_000),
      new Setup(10_000_000, 10_000_000),
      new ChoiceLimits(256, 26, 128, 2_048, 25_000));

  /**
   * Requires all parts.
   *
   * @param gains effect of a channel on each message
   * @param setup cost of a new channel
   * @param limits bounds of the choice
   * @throws NullPointerException if a part is null
   */
  public AdaptiveParameters {
    Objects.requireNonNull(gains, "gains");
    Objects.requireNonNull(setup, "setup");
    Objects.requireNonNull(limits, "limits");
  }

  /**
   * Effect of a channel on each message, in picoseconds. Integers make the search exact.
   *
   * @param dedicatedPicos reduction of latency by a dedicated ring, the paper's r
   * @param sharedPicos reduction of latency by a ring behind a shared endpoint, the paper's d
   * @param creditPicos cost of a credit message at the receiver, the paper's c
   * @param messagesPerCredit messages that one credit message acknowledges, the paper's s
   * @param failedPollPicos cost of polling a ring without a message, the paper's p
   */
  public record Gains(
      long dedicatedPicos,
      long sharedPicos,
      long creditPicos,
      int messagesPerCredit,
      long failedPollPicos) {

    /**
     * Validates the costs; the reductions may be negative.
     *
     * @param dedicatedPicos reduction of latency by a dedicated ring
     * @param sharedPicos reduction of latency by a ring behind a shared endpoint
     * @param creditPicos cost of a credit message, at least 0
     * @param messagesPerCredit messages that one credit message acknowledges, at least 1
     * @param failedPollPicos cost of polling a ring without a message, at least 0
     * @throws IllegalArgumentException if a value is out of range
     */
    public Gains {
      requireAtLeast(0, "creditPicos", creditPicos);
      requireAtLeast(1, "messagesPerCredit", messagesPerCredit);
      requireAtLeast(0, "failedPollPicos", failedPollPicos);
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
   * @param dedicatedPicos cost of a dedicated ring and its endpoint, the paper's ρ; nothing if the endpoint exists
   * @param sharedPicos cost of a ring behind a shared endpoint, the paper's δ
   */
  public record Setup(long dedicatedPicos, long sharedPicos) {

    /**
     * Validates the costs.
     *
     * @param dedicatedPicos cost of a dedicated ring and its endpoint, at least 0
     * @param sharedPicos cost of a ring behind a shared endpoint, at least 0
     * @throws IllegalArgumentException if a value is out of range
     */
    public Setup {
      requireAtLeast(0, "dedicatedPicos", dedicatedPicos);
      requireAtLeast(0, "sharedPicos", sharedPicos);
    }
  }

  /**
   * Bounds of the choice.
   *
   * @param maxRings maximum number of peers with a ring, the paper's τ
   * @param maxDedicated maximum number of peers with a dedicated ring, the paper's h
   * @param maxEndpoints maximum number of dedicated endpoints that exist, in use or parked, the paper's π
   * @param historyEntries ticks that the statistics cover for up to 1,024 peers, the paper's σ. Each takes 8 bytes per
   *     peer
   * @param minGainPicos gain per message that justifies a new mapping, in picoseconds, the paper's γ
   */
  public record ChoiceLimits(
      int maxRings, int maxDedicated, int maxEndpoints, int historyEntries, long minGainPicos) {

    private static final int UNTHINNED_PEERS_BITS = 10;

    /**
     * Validates the bounds.
     *
     * @param maxRings maximum number of peers with a ring, at least 0
     * @param maxDedicated maximum number of peers with a dedicated ring, at least 0
     * @param maxEndpoints maximum number of dedicated endpoints that exist, at least 0
     * @param historyEntries ticks that the statistics cover, at least 2
     * @param minGainPicos gain per message that justifies a new mapping, in picoseconds, at least 0
     * @throws IllegalArgumentException if a value is out of range
     */
    public ChoiceLimits {
      requireAtLeast(0, "maxRings", maxRings);
      requireAtLeast(0, "maxDedicated", maxDedicated);
      requireAtLeast(0, "maxEndpoints", maxEndpoints);
      requireAtLeast(2, "historyEntries", historyEntries);
      requireAtLeast(0, "minGainPicos", minGainPicos);
    }

    /** Returns the entries of the statistics for a number of peers: above 1,024 peers they are thinned (T Table 2). */
    int historyEntries(int peers) {
      double excessBits = Math.log(Math.max(1, peers)) / Math.log(2) - UNTHINNED_PEERS_BITS;
      return (int) Math.max(2, historyEntries / Math.max(1, 2 * excessBits));
    }

    /**
     * Returns the endpoints to keep for later. All dedicated rings may move to other peers at once, so the endpoints
     * in use leave room for as many new ones.
     */
    int maxParked() {
      return (int) Math.max(0, maxEndpoints - 2L * maxDedicated);
    }
  }

  private static void requireAtLeast(long minimum, String name, long value) {
    if (value < minimum) {
      throw new IllegalArgumentException(name + " must be at least " + minimum + ", was " + value);
    }
  }
}
