package io.railflux.pipeline;

import io.railflux.message.Codec;
import io.railflux.wire.ReceivedFrame;

/** Decodes the messages of one stream. Engine thread only. */
@FunctionalInterface
public interface Incoming<T> {

  /**
   * Reads one message. The frame and its buffer are valid during the call, for flyweights until {@code onNext}
   * returns.
   */
  T decode(ReceivedFrame frame);

  static <T> Incoming<T> plain(Codec<T> codec) {
    return frame -> codec.decode(frame.body());
  }
}
