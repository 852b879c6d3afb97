package io.railflux.wire;

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
 *  36 | int64 expectedHigh, expectedLow             the peer's; (0, 0) if not met|
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
 * It is read before a version is agreed on, so later versions only append to it.
 *
 * @param features bits of what its sender asks for: {@link #FURTHER_PATH}; unknown ones are ignored
 * @param resume what was received so far, null at a first meeting
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
   * From who connects: there is another connection to the same place, whose rings messages go through. This one is
   * for large messages, and both sides grant a small ring, for control frames (MR8: V 7.1.3).
   */
  public static final long FURTHER_PATH = 1;

  /** Who speaks and whom it expects; (0, 0) expects nobody in particular. */
  public record Identity(
      long incarnationHigh,
      long incarnationLow,
      long expectedHigh,
      long expectedLow,
      String nodeName) {
    /** Checks the incarnation and the name (at most 255 bytes of UTF-8, no control characters). */
    public Identity {
      if (incarnationHigh == 0 && incarnationLow == 0) {
        throw new IllegalArgumentException("incarnation (0, 0) means nobody");
      }
      Strings.requireName("nodeName", nodeName);
    }
  }

  /**
   * Which try at which subchannel of the session this is, and the first PSN the sender uses in it: random, so that
   * nobody else knows it.
   */
  public record Attempt(int epoch, int subchannel, long firstPsn) {
    /** Checks that the numbers are not negative. */
    public Attempt {
      Fields.requireUnsigned("epoch", epoch, Integer.MAX_VALUE);
      Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
    }
  }

  /** What the sender of this message accepts. */
  public record Limits(int reorderWindow, int maxMessageBytes, int maxStreams, int maxExchanges) {
    /** A {@link ResumeInfo} can tell every PSN of this window. */
    public static final int MAX_REORDER_WINDOW = ResumeInfo.MAX_WORDS * Long.SIZE;

    /** Checks the ranges. */
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

  /** Checks that only {@code resume} is null. */
  public Hello {
    Objects.requireNonNull(versions, "versions");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(authentication, "authentication");
  }

  /** Whether {@link #FURTHER_PATH} is asked for. */
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
