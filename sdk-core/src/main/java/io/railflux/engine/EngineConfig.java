package io.railflux.engine;

import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an engine is told at its start. Validated together by the public configuration.
 *
 * @param nodeName for messages to people
 * @param large what does not go through the ring
 * @param striping makes one policy per peer
 * @param security who may come in
 */
public record EngineConfig(
    String nodeName,
    Limits limits,
    Large large,
    Timing timing,
    Supplier<StripingPolicy> striping,
    Security security) {

  /** With the default for large messages, without secrets. */
  public EngineConfig(
      String nodeName, Limits limits, Timing timing, Supplier<StripingPolicy> striping) {
    this(nodeName, limits, Large.DEFAULT, timing, striping, Security.DEFAULT);
  }

  public EngineConfig withSecurity(Security newSecurity) {
    return new EngineConfig(nodeName, limits, large, timing, striping, newSecurity);
  }

  /**
   * Messages that do not go through the ring.
   *
   * @param eagerLimitBytes the largest that does; 0 leaves that to the fabrics
   * @param sendBudgetBytes memory of the node in which they are encoded
   * @param receiveBudgetBytes memory of the node in which they arrive
   * @param mode who moves them
   * @param pieces in which they move
   */
  public record Large(
      int eagerLimitBytes,
      long sendBudgetBytes,
      long receiveBudgetBytes,
      Rendezvous mode,
      Pieces pieces) {

    public static final Large DEFAULT =
        new Large(0, 64L << 20, 64L << 20, Rendezvous.AUTO, Pieces.DEFAULT);

    /**
     * How large messages are cut.
     *
     * @param chunkBytes of one request: about what a fast link moves while a frame of the ring may wait
     * @param portionBytes what one grant covers, and a lost subchannel costs at most
     * @param windowBytes memory per subchannel for portions to land in, where the fabric cannot expose
     *     the node's: few enough to stay in the processor's cache
     */
    public record Pieces(int chunkBytes, int portionBytes, int windowBytes) {

      public static final Pieces DEFAULT = new Pieces(256 << 10, 16 << 20, 4 << 20);
    }

    boolean hasEagerLimit() {
      return eagerLimitBytes > 0;
    }

    public Large withEagerLimitBytes(int bytes) {
      return new Large(bytes, sendBudgetBytes, receiveBudgetBytes, mode, pieces);
    }

    public Large withSendBudgetBytes(long bytes) {
      return new Large(eagerLimitBytes, bytes, receiveBudgetBytes, mode, pieces);
    }

    public Large withReceiveBudgetBytes(long bytes) {
      return new Large(eagerLimitBytes, sendBudgetBytes, bytes, mode, pieces);
    }

    public Large withMode(Rendezvous newMode) {
      return new Large(eagerLimitBytes, sendBudgetBytes, receiveBudgetBytes, newMode, pieces);
    }

    public Large withPieces(Pieces newPieces) {
      return new Large(eagerLimitBytes, sendBudgetBytes, receiveBudgetBytes, mode, newPieces);
    }

    /** What is wrong, with names and values; empty when nothing is. */
    public List<String> problems(Limits limits) {
      List<String> wrong = new ArrayList<>();
      if (eagerLimitBytes < 0 || eagerLimitBytes > limits.mostEagerBytes()) {
        wrong.add("eagerLimitBytes must be 0 to " + limits.mostEagerBytes()
            + ", an eighth of ringBytes (" + limits.ringBytes + "), was " + eagerLimitBytes);
      }
      requireBudget(wrong, "sendBudgetBytes", sendBudgetBytes);
      requireBudget(wrong, "receiveBudgetBytes", receiveBudgetBytes);
      return wrong;
    }

    private static void requireBudget(List<String> wrong, String name, long value) {
      if (value < LEAST_BUDGET_BYTES) {
        wrong.add(name + " must be at least " + LEAST_BUDGET_BYTES + ", was " + value);
      }
    }

    private static final int LEAST_BUDGET_BYTES = 64 << 10;
  }

  /**
   * Bounds of memory and count per peer; {@code maxPeers} per node.
   *
   * @param ringBytes eager ring this node grants a peer, a power of two
   * @param logBytes sender's log per peer where rings are not mapped, a power of two
   * @param reorderWindow sequence numbers in flight, a power of two
   * @param maxMessageBytes largest message body accepted
   * @param maxStreams streams open at once in one direction, parked ones included
   * @param maxExchanges requests of the peer being answered at once
   */
  public record Limits(
      int ringBytes,
      int logBytes,
      int reorderWindow,
      int maxMessageBytes,
      int maxStreams,
      int maxExchanges,
      int maxPeers) {

    static final int MIN_RING_BYTES = 64 << 10;
    private static final int MAX_RING_BYTES = 1 << 30;
    static final int MIN_REORDER_WINDOW = 1024;

    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    public static final Limits DEFAULT =
        new Limits(2 << 20, 2 << 20, 8_192, MAX_MESSAGE_BYTES, 1_024, 1_024, 256);

    /** A message may wait for the wrap and for the reserve, and still must fit. */
    private static final int RING_PER_MESSAGE = 8;

    /** The log grows with the ring: what can be in flight can be held. */
    public Limits withRingBytes(int bytes) {
      return new Limits(
          bytes, bytes, reorderWindow, maxMessageBytes, maxStreams, maxExchanges, maxPeers);
    }

    public Limits withMaxMessageBytes(int bytes) {
      return new Limits(
          ringBytes, logBytes, reorderWindow, bytes, maxStreams, maxExchanges, maxPeers);
    }

    /** What a ring takes of one message at most. */
    public int mostEagerBytes() {
      return mostEagerBytes(ringBytes);
    }

    static int mostEagerBytes(int ringBytes) {
      return Math.max(1, ringBytes / RING_PER_MESSAGE);
    }

    public Limits withMaxStreams(int count) {
      return new Limits(
          ringBytes, logBytes, reorderWindow, maxMessageBytes, count, maxExchanges, maxPeers);
    }

    public Limits withMaxExchanges(int count) {
      return new Limits(
          ringBytes, logBytes, reorderWindow, maxMessageBytes, maxStreams, count, maxPeers);
    }

    public Limits withMaxPeers(int count) {
      return new Limits(
          ringBytes, logBytes, reorderWindow, maxMessageBytes, maxStreams, maxExchanges, count);
    }

    public Limits withReorderWindow(int count) {
      return new Limits(
          ringBytes, logBytes, count, maxMessageBytes, maxStreams, maxExchanges, maxPeers);
    }

    /** What is wrong, with names and values; empty when nothing is. */
    public List<String> problems() {
      List<String> wrong = new ArrayList<>();
      if (Integer.bitCount(ringBytes) != 1 || ringBytes < MIN_RING_BYTES) {
        wrong.add("ringBytes must be a power of two from " + MIN_RING_BYTES + " to "
            + MAX_RING_BYTES + ", was " + ringBytes);
      }
      if (maxMessageBytes < 1 || maxMessageBytes > MAX_MESSAGE_BYTES) {
        wrong.add("maxMessageBytes must be 1 to " + MAX_MESSAGE_BYTES + ", was " + maxMessageBytes);
      }
      requirePositive(wrong, "maxStreams", maxStreams);
      requirePositive(wrong, "maxExchanges", maxExchanges);
      requirePositive(wrong, "maxPeers", maxPeers);
      return wrong;
    }

    private static void requirePositive(List<String> wrong, String name, int value) {
      if (value < 1) {
        wrong.add(name + " must be at least 1, was " + value);
      }
    }
  }

  /**
   * Time bounds in nanoseconds.
   *
   * @param detectNanos silence or lack of progress after which a rail is given up
   * @param partitionNanos how long streams pause without any rail before they fail
   * @param handshakeNanos bound of a handshake at the node that makes a lost connection again although the peer had made
   *     it; of all others, in which hundreds may meet at once and get no processor, twice as long
   * @param drainNanos bound of a close
   * @param creditPatienceNanos how long a message waits for the rail the policy chose: {@link CreditBackoff}
   * @param again what is done about what is lost
   */
  public record Timing(
      long detectNanos,
      long partitionNanos,
      long handshakeNanos,
      long drainNanos,
      long creditPatienceNanos,
      Again again) {

    private static final long MILLIS = 1_000_000;

    public static final Timing DEFAULT =
        new Timing(500 * MILLIS, 30_000 * MILLIS, 5_000 * MILLIS, 5_000 * MILLIS, 0, Again.DEFAULT);

    /** How long a control frame may wait behind data: signs of life must not come too late (D12). */
    long controlWaitNanos() {
      return detectNanos / 10;
    }

    public Timing withDetectNanos(long nanos) {
      return new Timing(
          nanos, partitionNanos, handshakeNanos, drainNanos, creditPatienceNanos, again);
    }

    public Timing withPartitionNanos(long nanos) {
      return new Timing(detectNanos, nanos, handshakeNanos, drainNanos, creditPatienceNanos, again);
    }

    public Timing withDrainNanos(long nanos) {
      return new Timing(
          detectNanos, partitionNanos, handshakeNanos, nanos, creditPatienceNanos, again);
    }

    public Timing withCreditPatienceNanos(long nanos) {
      return new Timing(detectNanos, partitionNanos, handshakeNanos, drainNanos, nanos, again);
    }

    public Timing withAgain(Again newAgain) {
      return new Timing(
          detectNanos, partitionNanos, handshakeNanos, drainNanos, creditPatienceNanos, newAgain);
    }
  }

  /**
   * What is done about connections and frames that are lost: {@link Recovery} and {@link Retransmission}.
   *
   * @param firstPauseNanos between attempts to reconnect; each is twice the one before
   * @param longestPauseNanos but no longer than this
   * @param mostAttempts rails that may be lost in succession with the same oldest frame
   */
  public record Again(long firstPauseNanos, long longestPauseNanos, int mostAttempts) {

    public static final Again DEFAULT = of(Recovery.DEFAULT, Retransmission.DEFAULT);

    /** The same in the engine's units. */
    public static Again of(Recovery recovery, Retransmission retransmission) {
      return new Again(
          recovery.firstPause().toNanos(),
          recovery.longestPause().toNanos(),
          retransmission.mostAttempts());
    }
  }

  public static EngineConfig defaults(String nodeName) {
    return new EngineConfig(nodeName, Limits.DEFAULT, Timing.DEFAULT, StripingPolicy::roundRobin);
  }
}
