package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ResumeInfo;
import io.railflux.wire.Strings;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The first message on every endpoint, in both directions.
 *
 * <pre>
 *      0                 4      5          6            8            10           12
 *     +-----------------+------+----------+------------+------------+------------+
 *   0 | 'R' 'F' 'L' 'X' | 1    | reserved | versionMin | versionMax | headerBytes|
 *     +-----------------+------+----------+------------+------------+------------+
 *  12 | int64 features                                                           |
 *  20 | int64 incarnationHigh, incarnationLow       the sender's, never (0, 0)   |
 *  36 | int64 expectedHigh, expectedLow             the peer's; (0, 0) if unknown|
 *     +--------------------------------------------------------------------------+
 *  52 | int32 epoch          56 | int32 subchannel                               |
 *  60 | int64 firstPsn                                 first the sender will use |
 *  68 | int32 reorderWindow  72 | int32 maxMessageBytes                          |
 *  76 | int32 maxStreams     80 | int32 maxExchanges                             |
 *  84 | Authentication                                                           |
 *     +--------------------------------------------------------------------------+
 * 196 | appended by later versions: skipped up to headerBytes                    |
 *     +--------------------------------------------------------------------------+
 *     | string nodeName | uint8 hasResume | ResumeInfo if hasResume is 1 | ignored
 *     +--------------------------------------------------------------------------+
 * </pre>
 *
 * <p>It is read before the version is known, so later versions only append fields.
 *
 * @param features {@link #FURTHER_PATH}, {@link #RINGS_CHANGE}; unknown bits are ignored
 * @param resume frames received so far, null at the first contact
 */
public record Hello(
    Versions versions,
    long features,
    Identity identity,
    Attempt attempt,
    Limits limits,
    Authentication authentication,
    ResumeInfo resume) {
  static final int FIXED_BYTES = 84 + Authentication.BYTES;

  /**
   * Set by the connecting side: another connection to the same address has the rings for messages. This one carries
   * large messages, and both sides grant a small ring for control frames (MR8: V 7.1.3).
   */
  public static final long FURTHER_PATH = 1;

  /**
   * The sender replaces rings while they are in use (CH3). If both sides set it, the first ring of a subchannel may be
   * smaller than {@link #maxRingBytes}.
   */
  public static final long RINGS_CHANGE = 2;

  /** Position of the binary logarithm of the largest ring that the sender grants; valid with {@link #RINGS_CHANGE}. */
  private static final int RING_SHIFT = 8;

  private static final int RING_MASK = 31;

  /** Identities of the sender and of the expected peer; (0, 0) expects any peer. */
  public record Identity(
      long incarnationHigh,
      long incarnationLow,
      long expectedHigh,
      long expectedLow,
      String nodeName) {
    /** Validates the incarnation and the name (at most 255 bytes of UTF-8, no control characters). */
    public Identity {
      if (incarnationHigh == 0 && incarnationLow == 0) {
        throw new IllegalArgumentException("incarnation (0, 0) identifies no node");
      }
      Strings.requireName("nodeName", nodeName);
    }
  }

  /**
   * Number of the attempt and of the subchannel within the session, and the first PSN of the sender, which is random
   * so that third parties do not know it.
   */
  public record Attempt(int epoch, int subchannel, long firstPsn) {
    /** Refuses negative numbers. */
    public Attempt {
      Fields.requireUnsigned("epoch", epoch, Integer.MAX_VALUE);
      Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
    }
  }

  /** Limits of the sender of this message. */
  public record Limits(int reorderWindow, int maxMessageBytes, int maxStreams, int maxExchanges) {
    /** Largest window that a {@link ResumeInfo} covers. */
    public static final int MAX_REORDER_WINDOW = ResumeInfo.MAX_WORDS * Long.SIZE;

    /** Validates the ranges. */
    public Limits {
      Fields.requireUnsigned("reorderWindow", reorderWindow, MAX_REORDER_WINDOW);
      Fields.requireUnsigned("maxMessageBytes", maxMessageBytes, Integer.MAX_VALUE);
      Fields.requireUnsigned("maxStreams", maxStreams, Integer.MAX_VALUE);
      Fields.requireUnsigned("maxExchanges", maxExchanges, Integer.MAX_VALUE);
      if (reorderWindow == 0 || maxMessageBytes == 0) {
        throw new IllegalArgumentException("reorderWindow and maxMessageBytes must not be 0");
      }
    }
  }

  /** Permits null for {@code resume} only. */
  public Hello {
    Objects.requireNonNull(versions, "versions");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(authentication, "authentication");
  }

  /** Returns the features of a sender whose largest ring has {@code maxRingBytes}, a power of two. */
  public static long ringsChange(int maxRingBytes) {
    return RINGS_CHANGE | (long) Integer.numberOfTrailingZeros(maxRingBytes) << RING_SHIFT;
  }

  /** Whether {@link #RINGS_CHANGE} is set. */
  public boolean changesRings() {
    return (features & RINGS_CHANGE) != 0;
  }

  /** Returns the size of the largest ring that the sender grants; valid if it {@link #changesRings}. */
  public int maxRingBytes() {
    return 1 << Math.min(30, features >>> RING_SHIFT & RING_MASK);
  }

  /** Returns the size of the largest ring that the sender grants, given its first one. */
  public int largestRingBytes(int firstRingBytes) {
    return changesRings() ? Math.max(firstRingBytes, maxRingBytes()) : firstRingBytes;
  }

  /** Whether {@link #FURTHER_PATH} is set. */
  public boolean isFurtherPath() {
    return (features & FURTHER_PATH) != 0;
  }

  /** Size of the encoded message. */
  public int encodedBytes() {
    return FIXED_BYTES
        + Strings.encodedBytes(identity.nodeName, Strings.MAX_NAME_BYTES)
        + 1
        + (resume == null ? 0 : resume.encodedBytes());
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    HelloCodec.encode(this, target);
  }

  /** Reads the message between position and limit. */
  public static Hello decode(ByteBuffer source) throws MalformedFrameException {
    return HelloCodec.decode(source);
  }
}
