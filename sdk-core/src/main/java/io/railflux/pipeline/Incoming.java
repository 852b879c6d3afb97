package io.railflux.pipeline;

import io.railflux.message.Codec;
import io.railflux.wire.ReceivedFrame;

/** How messages of one stream become values. Engine thread only. */
@FunctionalInterface
public interface Incoming<T> {

  /**
   * Reads one message. The frame and the buffer behind it are valid during the call, for flyweights
   * until {@code onNext} returned.
   */
  T decode(ReceivedFrame frame);

  static <T> Incoming<T> plain(Codec<T> codec) {
    return frame -> codec.decode(frame.body());
  }
}
