package io.railflux.engine;

import io.railflux.wire.FrameHeader;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A received frame taken out of the ring to wait for earlier ones.
 *
 * @param bytes header and body
 * @param word the publish word that was validated
 * @param arrivedNanos engine time of arrival
 */
record FrameCopy(ByteBuffer bytes, long word, long arrivedNanos) {

  static FrameCopy of(ReceivedFrame frame, long nowNanos) {
    int length = frame.lengthBytes();
    int headerBytes = length - frame.bodyBytes();
    ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(0, frame.buffer(), frame.bodyOffset() - headerBytes, length);
    long word = FrameHeader.word(length, frame.type(), frame.flags(), headerBytes);
    return new FrameCopy(copy, word, nowNanos);
  }

  /** Validated again: the peer could have changed the ring while it was copied. */
  Violation readInto(ReceivedFrame frame) {
    return frame.read(bytes, bytes.asReadOnlyBuffer(), 0, word, bytes.capacity());
  }

  int sizeBytes() {
    return bytes.capacity();
  }
}
