package io.railflux.pipeline;

import io.railflux.message.Codec;
import java.nio.ByteBuffer;
import reactor.util.context.ContextView;

/** Encodes the values of one stream. Engine thread only. */
public interface Outgoing<T> {

  int maxBodyBytes(T value);

  void encode(T value, ByteBuffer body);

  /** Describes the codec and its stream or route, for failures of the codec. */
  default String describe() {
    return "the codec";
  }

  /** Description of a codec that belongs to a stream or route, for {@link #describe}. */
  static String description(String name, Codec<?> codec) {
    return "stream or route '" + name + "': codec '" + codec.name() + "'";
  }

  /**
   * Returns the encoder of one subscription, which may keep measurements.
   *
   * @param maxBytes longest message that the peer accepts; a codec without a bound is stopped there
   */
  default Outgoing<T> forSubscription(int maxBytes) {
    return this;
  }

  /** The last measured value will not be encoded. */
  default void forget() {}

  /** See {@link Codec#inPlace}. */
  default ByteBuffer inPlace(T value) {
    return null;
  }

  /** Returns encoded metadata between position and limit, or null. Valid until the next call. */
  default ByteBuffer metadata(T value) {
    return null;
  }

  /** Returns the time to live in nanoseconds from now; 0 without bound. */
  default long timeToLiveNanos(T value) {
    return 0;
  }

  /**
   * Returns the encoder of one subscriber.
   *
   * @param context context of the subscriber, whose entries may accompany every value
   * @return this, if the context makes no difference
   * @throws RuntimeException or any other exception of a context value that is converted to text
   */
  default Outgoing<T> in(ContextView context) {
    return this;
  }

  /** Whether the value has neither metadata nor a time to live. */
  default boolean isBare(T value) {
    return metadata(value) == null && timeToLiveNanos(value) <= 0;
  }

  /**
   * Sends values without metadata.
   *
   * @param name name of the stream or route, for messages to people
   */
  static <T> Outgoing<T> plain(String name, Codec<T> codec) {
    return new Outgoing<>() {
      @Override
      public String describe() {
        return description(name, codec);
      }

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

      @Override
      public Outgoing<T> forSubscription(int maxBytes) {
        Codec<T> sized = MeasuredCodec.of(codec, maxBytes);
        return sized == codec ? this : plain(name, sized);
      }

      @Override
      public void forget() {
        MeasuredCodec.forget(codec);
      }
    };
  }
}
