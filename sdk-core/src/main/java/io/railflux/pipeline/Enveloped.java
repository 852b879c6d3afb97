package io.railflux.pipeline;

import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Values with headers, context and time to live. */
public final class Enveloped {

  private Enveloped() {}

  /**
   * Envelopes to be sent.
   *
   * @param context entries of the sender's Reactor context that go with every message
   */
  public static <T> Outgoing<Envelope<T>> outgoing(Codec<T> codec, Map<String, String> context) {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(Envelope<T> value) {
        return codec.maxEncodedBytes(value.payload());
      }

      @Override
      public void encode(Envelope<T> value, ByteBuffer body) {
        codec.encode(value.payload(), body);
      }

      @Override
      public ByteBuffer inPlace(Envelope<T> value) {
        return codec.inPlace(value.payload());
      }

      @Override
      public ByteBuffer metadata(Envelope<T> value) {
        return Metadatas.encode(value.headers(), context);
      }

      @Override
      public long timeToLiveNanos(Envelope<T> value) {
        return value.timeToLive() == null ? 0 : value.timeToLive().toNanos();
      }

      @Override
      public boolean isBare(Envelope<T> value) {
        return value.timeToLive() == null && value.headers().isEmpty() && context.isEmpty();
      }
    };
  }

  /** Envelopes as they arrived; the time to live is what was left when the message was sent. */
  public static <T> Incoming<Envelope<T>> incoming(Codec<T> codec) {
    return incoming(codec, Map::of);
  }

  /**
   * Envelopes as they arrived.
   *
   * @param streamContext entries that came with the stream as a whole
   */
  public static <T> Incoming<Envelope<T>> incoming(
      Codec<T> codec, Supplier<Map<String, String>> streamContext) {
    return frame -> {
      Metadatas.Decoded metadata = Metadatas.decode(frame);
      long timeToLive = frame.timeToLiveNanos();
      T payload = codec.decode(frame.body());
      return new Envelope<>(
          payload,
          metadata.headers(),
          timeToLive == 0 ? null : Duration.ofNanos(timeToLive),
          metadata.context().isEmpty() ? streamContext.get() : metadata.context());
    };
  }
}
