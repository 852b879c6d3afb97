package io.railflux.pipeline;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Received frames made by hand. */
final class Frames {

  private static final int RING_BYTES = 4096;

  private Frames() {}

  /** A message whose body is one int. */
  static ReceivedFrame of(int value) {
    return of(value, null, 0);
  }

  /** A message whose body is one int, and which is the last one. */
  static ReceivedFrame last(int value) {
    return of(value, null, 0, FrameFlags.LAST);
  }

  /** @param timeToLiveNanos 0 for none */
  static ReceivedFrame of(int value, ByteBuffer metadata, long timeToLiveNanos) {
    return of(value, metadata, timeToLiveNanos, 0);
  }

  private static ReceivedFrame of(
      int value, ByteBuffer metadata, long timeToLiveNanos, int moreFlags) {
    ByteBuffer ring = ByteBuffer.allocateDirect(RING_BYTES + FrameHeader.SLOT_BYTES)
        .alignedSlice(FrameHeader.SLOT_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
    int flags = moreFlags
        | (metadata == null ? 0 : FrameFlags.METADATA)
        | (timeToLiveNanos == 0 ? 0 : FrameFlags.TIME_TO_LIVE);
    int headerBytes = FrameHeader.headerBytes(flags, metadata == null ? 0 : metadata.remaining());
    FrameHeader.put(ring, 0, 1, 1, value);
    FrameHeader.putExtensions(ring, 0, flags, 0, 0, timeToLiveNanos, metadata);
    ring.putInt(headerBytes, value);
    long word = FrameHeader.word(headerBytes + Integer.BYTES, FrameType.DATA, flags, headerBytes);
    ReceivedFrame frame = new ReceivedFrame();
    var violation = frame.read(ring, 0, word, RING_BYTES);
    if (violation != null) {
      throw new AssertionError(violation.text());
    }
    return frame;
  }
}
