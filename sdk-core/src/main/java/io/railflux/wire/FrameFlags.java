package io.railflux.wire;

/** Flags of ring frames: the byte at offset 5 of the publish word. */
public final class FrameFlags {
  /** The stream ends with this message; of a GOODBYE, the session ends without a drain. */
  public static final int LAST = 0x01;

  /** A credit position and an acknowledgement ride along (16 bytes). */
  public static final int PIGGYBACK = 0x02;

  /** The nanoseconds this message has left to live (8 bytes). */
  public static final int TIME_TO_LIVE = 0x04;

  /** Headers and context entries, see {@link Metadata}. */
  public static final int METADATA = 0x08;

  /** The frame is sealed: everything behind the publish word is encrypted, a tag of 16 bytes ends it. */
  public static final int TAG = 0x10;

  /** The streamId was allocated by the receiver of this frame. */
  public static final int REPLY = 0x20;

  /** Demand without bound; streamSeq means nothing. */
  public static final int UNBOUNDED = 0x40;

  /** A receiver that does not know the type skips the frame; without it that is a violation. */
  public static final int SKIPPABLE = 0x80;

  private FrameFlags() {}

  /** Of what a frame says of its message beside the body; without metadata, 0 bytes. */
  public static int ofMessage(int metadataBytes, boolean timed) {
    return (metadataBytes > 0 ? METADATA : 0) | (timed ? TIME_TO_LIVE : 0);
  }
}
