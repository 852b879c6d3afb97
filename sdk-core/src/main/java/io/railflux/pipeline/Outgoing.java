package io.railflux.pipeline;

import io.railflux.message.Codec;
import java.nio.ByteBuffer;

/** How values of one stream become messages. Engine thread only. */
public interface Outgoing<T> {

  int maxBodyBytes(T value);

  void encode(T value, ByteBuffer body);

  /** As {@link Codec#inPlace}. */
  default ByteBuffer inPlace(T value) {
    return null;
  }

  /** Encoded metadata between position and limit, or null. Valid until the next call. */
  default ByteBuffer metadata(T value) {
    return null;
  }

  /** Nanoseconds the message may live from now on; 0 without bound. */
  default long timeToLiveNanos(T value) {
    return 0;
  }

  /** Whether the value travels as its body alone, without metadata and time to live. */
  default boolean isBare(T value) {
    return metadata(value) == null && timeToLiveNanos(value) <= 0;
  }

  static <T> Outgoing<T> plain(Codec<T> codec) {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(T value) {
        return codec.maxEncodedBytes(value);
      }

      @Override
      public void encode(T value, ByteBuffer body) {
        codec.encode(value, body);
      }

      @Override
      public ByteBuffer inPlace(T value) {
        return codec.inPlace(value);
      }
    };
  }
}
