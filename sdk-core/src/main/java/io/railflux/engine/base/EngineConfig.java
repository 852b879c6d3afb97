package io.railflux.engine.base;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Configuration of an engine. The public configuration validates its parts together.
 *
 * @param nodeName name in messages for people
 * @param large limits of messages that bypass the ring
 * @param striping creates one policy per peer
 * @param channels creates the policy of message channels
 * @param security authentication and protection of peers
 */
public record EngineConfig(
    String nodeName,
    Limits limits,
    Large large,
    Timing timing,
    Supplier<StripingPolicy> striping,
    Supplier<ChannelPolicy> channels,
    Security security) {

  /** Creates a configuration with dedicated channels. */
  public EngineConfig(
      String nodeName,
      Limits limits,
      Large large,
      Timing timing,
      Supplier<StripingPolicy> striping,
      Security security) {
    this(nodeName, limits, large, timing, striping, ChannelPolicy::dedicated, security);
  }

  /** Creates a configuration with the default for large messages and without secrets. */
  public EngineConfig(
      String nodeName, Limits limits, Timing timing, Supplier<StripingPolicy> striping) {
    this(nodeName, limits, Large.DEFAULT, timing, striping, Security.DEFAULT);
  }

  public EngineConfig withSecurity(Security newSecurity) {
    return new EngineConfig(nodeName, limits, large, timing, striping, channels, newSecurity);
  }

  public EngineConfig withChannels(Supplier<ChannelPolicy> newChannels) {
    return new EngineConfig(nodeName, limits, large, timing, striping, newChannels, security);
  }

  /**
   * Messages that bypass the ring.
   *
   * @param eagerLimitBytes size of the largest message in the ring; 0 leaves the limit to the fabrics
   * @param sendBudgetBytes memory of the node in which large messages are encoded
   * @param receiveBudgetBytes memory of the node in which large messages arrive
   * @param mode side that moves the bytes
   * @param pieces units of the transfer
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
     * Units into which large messages are divided.
     *
     * @param chunkBytes size of one request: about the bytes that a fast link moves while a frame of the ring may
     *     wait
     * @param portionBytes bytes of one grant, and the largest loss with a subchannel
     * @param windowBytes memory per subchannel in which portions land if the fabric cannot expose memory of the
     *     node; it should fit into the processor's cache
     */
    public record Pieces(int chunkBytes, int portionBytes, int windowBytes) {

      public static final Pieces DEFAULT = new Pieces(256 << 10, 16 << 20, 4 << 20);
    }

    public boolean hasEagerLimit() {
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

    /** Returns the problems with names and values; empty without any. */
    public List<String> problems(Limits limits) {
      List<String> wrong = new ArrayList<>();
      if (eagerLimitBytes < 0 || eagerLimitBytes > limits.maxEagerBytes()) {
        wrong.add("eagerLimitBytes must be 0 to " + limits.maxEagerBytes()
            + ", an eighth of ringBytes (" + limits.ringBytes + "), was " + eagerLimitBytes);
      }
      requireBudget(wrong, "sendBudgetBytes", sendBudgetBytes);
      requireBudget(wrong, "receiveBudgetBytes", receiveBudgetBytes);
      return wrong;
    }

    private static void requireBudget(List<String> wrong, String name, long value) {
      if (value < MIN_BUDGET_BYTES) {
        wrong.add(name + " must be at least " + MIN_BUDGET_BYTES + ", was " + value);
      }
    }

    private static final int MIN_BUDGET_BYTES = 64 << 10;
  }

  /**
   * Bounds of memory and count per peer; {@code maxPeers} per node.
   *
   * @param ringBytes size of the eager ring that this node grants a peer, a power of two
   * @param logBytes size of the sender's log per peer where rings are not mapped, a power of two
   * @param reorderWindow sequence numbers in flight, a power of two
   * @param maxMessageBytes size of the largest accepted message body
   * @param maxStreams streams open at once in one direction, parked streams included
   * @param maxExchanges requests of the peer that are answered at once
   */
  public record Limits(
      int ringBytes,
      int logBytes,
      int reorderWindow,
      int maxMessageBytes,
      int maxStreams,
      int maxExchanges,
      int maxPeers) {

    public static final int MIN_RING_BYTES = 64 << 10;

    /** Size of the ring of a peer without a ring of its own choice: it takes any control frame and short messages. */
    public static final int POOLED_RING_BYTES = 16 << 10;

    private static final int SHARED_RING_BYTES = 256 << 10;
    private static final int MAX_RING_BYTES = 1 << 30;
    private static final int STAGED_BYTES = 16 << 20;
    public static final int MIN_REORDER_WINDOW = 1024;

    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    public static final Limits DEFAULT =
        new Limits(2 << 20, 2 << 20, 8_192, MAX_MESSAGE_BYTES, 1_024, 1_024, 256);

    /** A message must still fit after the padding before the wrap and the reserve. */
    private static final int RING_PER_MESSAGE = 8;

    /** Returns limits with this ring size. The log grows with the ring, because it holds the frames in flight. */
    public Limits withRingBytes(int bytes) {
      return new Limits(
          bytes, bytes, reorderWindow, maxMessageBytes, maxStreams, maxExchanges, maxPeers);
    }

    public Limits withMaxMessageBytes(int bytes) {
      return new Limits(
          ringBytes, logBytes, reorderWindow, bytes, maxStreams, maxExchanges, maxPeers);
    }

    /** Returns the size of the ring of a message channel. */
    public int ringBytes(ChannelKind kind) {
      return switch (kind) {
        case POOLED -> POOLED_RING_BYTES;
        case SHARED_RING -> Math.min(SHARED_RING_BYTES, ringBytes);
        case DEDICATED_RING -> ringBytes;
      };
    }

    /**
     * Returns the maximum size of a peer's ring if frames are sealed. A sealed frame is staged in memory as large as the
     * peer's ring, so the peer must not be able to demand more.
     */
    public int maxStagedBytes() {
      return Math.max(STAGED_BYTES, ringBytes);
    }

    /** Returns the kind of the message channel with a ring of a peer, as far as its size shows. */
    public ChannelKind kindOf(int bytes) {
      return bytes <= POOLED_RING_BYTES ? ChannelKind.POOLED : ChannelKind.DEDICATED_RING;
    }

    /** Returns the size of the log for frames to peers whose largest ring has this size. */
    public int logBytes(int peerRingBytes) {
      boolean large = peerRingBytes > SHARED_RING_BYTES || peerRingBytes >= ringBytes;
      return large ? logBytes : Math.min(peerRingBytes, logBytes);
    }

    /** Returns the largest message in bytes that fits into a ring. */
    public int maxEagerBytes() {
      return maxEagerBytes(ringBytes);
    }

    public static int maxEagerBytes(int ringBytes) {
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

    public Limits withReorderWindow(int count) {
      return new Limits(
          ringBytes, logBytes, count, maxMessageBytes, maxStreams, maxExchanges, maxPeers);
    }

    /** Returns the problems with names and values; empty without any. */
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
   * @param detectNanos silence or lack of progress after which a rail fails
   * @param partitionNanos time that streams pause without any rail before they fail
   * @param handshakeNanos bound of a handshake at the node that reconnects, although the peer made the lost
   *     connection. All other handshakes have twice the time, because hundreds of them may run at once and wait for a
   *     processor
   * @param drainNanos bound of a close
   * @param creditPatienceNanos time that a message waits for the rail that the policy chose: {@link CreditBackoff}
   * @param retry pauses and limits of retries
   */
  public record Timing(
      long detectNanos,
      long partitionNanos,
      long handshakeNanos,
      long drainNanos,
      long creditPatienceNanos,
      RetryPolicy retry) {

    private static final long MILLIS = 1_000_000;

    public static final Timing DEFAULT = new Timing(
        500 * MILLIS, 30_000 * MILLIS, 5_000 * MILLIS, 5_000 * MILLIS, 0, RetryPolicy.DEFAULT);

    /** Longest time that a control frame may wait behind data, so that signs of life arrive in time (D12). */
    public long controlWaitNanos() {
      return detectNanos / 10;
    }

    public Timing withDetectNanos(long nanos) {
      return new Timing(
          nanos, partitionNanos, handshakeNanos, drainNanos, creditPatienceNanos, retry);
    }

    public Timing withPartitionNanos(long nanos) {
      return new Timing(detectNanos, nanos, handshakeNanos, drainNanos, creditPatienceNanos, retry);
    }

    public Timing withCreditPatienceNanos(long nanos) {
      return new Timing(detectNanos, partitionNanos, handshakeNanos, drainNanos, nanos, retry);
    }

    public Timing withRetry(RetryPolicy newRetry) {
      return new Timing(
          detectNanos, partitionNanos, handshakeNanos, drainNanos, creditPatienceNanos, newRetry);
    }
  }

  /**
   * Retries of lost connections and frames: {@link Recovery} and {@link Retransmission}.
   *
   * @param minBackoffNanos first pause between attempts to reconnect; it doubles with each attempt
   * @param maxBackoffNanos longest pause
   * @param maxAttempts largest number of rails lost in succession with the same oldest frame
   */
  public record RetryPolicy(long minBackoffNanos, long maxBackoffNanos, int maxAttempts) {

    public static final RetryPolicy DEFAULT = of(Recovery.DEFAULT, Retransmission.DEFAULT);

    /** Converts the options into the engine's units. */
    public static RetryPolicy of(Recovery recovery, Retransmission retransmission) {
      return new RetryPolicy(
          recovery.minBackoff().toNanos(),
          recovery.maxBackoff().toNanos(),
          retransmission.maxAttempts());
    }
  }

  public static EngineConfig defaults(String nodeName) {
    return new EngineConfig(nodeName, Limits.DEFAULT, Timing.DEFAULT, StripingPolicy::roundRobin);
  }
}
