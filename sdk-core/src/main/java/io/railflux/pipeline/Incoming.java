package io.railflux.pipeline;

import io.railflux.message.Codec;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** How messages of one stream become values. Engine thread only. */
@FunctionalInterface
public interface Incoming<T> {

  /**
   * Reads one message. The frame and the buffer behind it are valid during the call, for flyweights
   * until {@code onNext} returned.
   */
  T decode(ReceivedFrame frame);

  static <T> Incoming<T> plain(Codec<T> codec) {
    return frame -> codec.decode(body(frame));
  }

  /** The frame's buffer with position and limit around the body, whatever a codec did to it before. */
  static ByteBuffer body(ReceivedFrame frame) {
    ByteBuffer buffer = frame.buffer().order(ByteOrder.LITTLE_ENDIAN);
    int start = frame.bodyOffset();
    return buffer.limit(start + frame.bodyBytes()).position(start);
  }
}
