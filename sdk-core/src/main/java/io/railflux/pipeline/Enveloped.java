package io.railflux.pipeline;

import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.util.context.ContextView;

/** Values with headers, context and time to live. */
public final class Enveloped {

  private Enveloped() {}

  /**
   * Sends envelopes.
   *
   * @param name name of the stream or route, for messages to people
   * @param context propagated entries of every message
   */
  public static <T> Outgoing<Envelope<T>> outgoing(
      String name, Codec<T> codec, Map<String, String> context) {
    return new Encoded<>(name, codec, context);
  }

  /**
   * Sends envelopes with entries of the context of their subscriber.
   *
   * @param name name of the stream or route, for messages to people
   * @param picked selects the propagated entries of a context
   */
  public static <T> Outgoing<Envelope<T>> outgoing(
      String name, Codec<T> codec, Function<ContextView, Map<String, String>> picked) {
    return new Encoded<>(name, codec, Map.of()) {
      @Override
      public Outgoing<Envelope<T>> in(ContextView context) {
        return outgoing(name, codec, picked.apply(context));
      }
    };
  }

  /** Receives envelopes. Their time to live is the remaining time when the message was sent. */
  public static <T> Incoming<Envelope<T>> incoming(Codec<T> codec) {
    return incoming(codec, Map::of);
  }

  /**
   * Receives envelopes.
   *
   * @param streamContext entries propagated with the stream as a whole
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

  private static class Encoded<T> implements Outgoing<Envelope<T>> {

    private final String name;
    private final Codec<T> codec;
    private final Map<String, String> context;

    Encoded(String name, Codec<T> codec, Map<String, String> context) {
      this.name = name;
      this.codec = codec;
      this.context = context;
    }

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
    public Outgoing<Envelope<T>> forSubscription(int maxBytes) {
      Codec<T> sized = MeasuredCodec.of(codec, maxBytes);
      return sized == codec ? this : outgoing(name, sized, context);
    }

    @Override
    public String describe() {
      return Outgoing.description(name, codec);
    }

    @Override
    public void forget() {
      MeasuredCodec.forget(codec);
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
  }
}
