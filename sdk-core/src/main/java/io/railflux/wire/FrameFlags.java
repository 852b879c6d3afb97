package io.railflux.wire;

/** Flags of ring frames: the byte at offset 5 of the publish word. */
public final class FrameFlags {
  /** The stream ends with this message; in a GOODBYE the session ends without a drain. */
  public static final int LAST = 0x01;

  /** The header contains a credit position and an acknowledgement (16 bytes). */
  public static final int PIGGYBACK = 0x02;

  /** The header contains the remaining time to live in nanoseconds (8 bytes). */
  public static final int TIME_TO_LIVE = 0x04;

  /** Headers and context entries, see {@link Metadata}. */
  public static final int METADATA = 0x08;

  /** The frame is sealed: all bytes behind the publish word are encrypted, and a tag of 16 bytes ends it. */
  public static final int TAG = 0x10;

  /** The streamId was allocated by the receiver of this frame. */
  public static final int REPLY = 0x20;

  /** Demand without bound; streamSeq has no meaning. */
  public static final int UNBOUNDED = 0x40;

  /** A receiver that does not know the type skips the frame; without the flag that is a violation. */
  public static final int SKIPPABLE = 0x80;

  private FrameFlags() {}

  /** Returns the flags of a message with the given metadata, 0 bytes for none. */
  public static int ofMessage(int metadataBytes, boolean timed) {
    return (metadataBytes > 0 ? METADATA : 0) | (timed ? TIME_TO_LIVE : 0);
  }
}
