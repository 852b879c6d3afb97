package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A received frame taken out of the ring to wait for earlier ones.
 *
 * @param bytes header and body
 * @param word the publish word that was validated
 * @param messages how many it held when its numbers were checked
 * @param arrivedNanos engine time of arrival
 */
record FrameCopy(ByteBuffer bytes, long word, int messages, long arrivedNanos) {

  static FrameCopy of(ReceivedFrame frame, long nowNanos) {
    int length = frame.lengthBytes();
    ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(0, frame.buffer(), frame.offset(), length);
    return new FrameCopy(copy, frame.word(), frame.messagesLeft(), nowNanos);
  }

  /** Validated again: the peer could have changed the ring while it was copied. */
  Violation readInto(ReceivedFrame frame) {
    Violation wrong = frame.read(bytes, bytes.asReadOnlyBuffer(), 0, word, bytes.capacity());
    return wrong == null && frame.messagesLeft() != messages ? Violation.BATCH_TABLE : wrong;
  }

  int sizeBytes() {
    return bytes.capacity();
  }
}
