package io.railflux;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.wire.OpenFrame;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Name and codecs of a service for requests with one reply or a stream of replies. Both peers must use the same name
 * and codecs. Immutable.
 *
 * @param <Q> type of the requests
 * @param <R> type of the replies
 * @param name 1 to 255 bytes of UTF-8 without control characters
 * @param requestCodec codec of the requests
 * @param replyCodec codec of the replies
 * @param idempotent whether a request may be handled more than once, see {@link #asIdempotent}; concerns the requester
 *     only
 */
public record Route<Q, R>(
    String name, Codec<Q> requestCodec, Codec<R> replyCodec, boolean idempotent) {

  /**
   * Validates the parts.
   *
   * @param name name of the service
   * @param requestCodec codec of the requests
   * @param replyCodec codec of the replies
   * @param idempotent whether a request may be handled more than once
   * @throws NullPointerException if a part or the name of a codec is null
   * @throws IllegalArgumentException if a name is too long or contains control characters
   */
  public Route {
    OpenFrame.requireName("name of the route", Objects.requireNonNull(name, "name"));
    OpenFrame.requireName("name of the request's codec", codecName(requestCodec, "requestCodec"));
    OpenFrame.requireName("name of the reply's codec", codecName(replyCodec, "replyCodec"));
  }

  /**
   * Creates a route whose requests are handled at most once.
   *
   * @param name name of the service
   * @param requestCodec codec of the requests
   * @param replyCodec codec of the replies
   * @throws NullPointerException if a part or the name of a codec is null
   * @throws IllegalArgumentException if a name is too long or contains control characters
   */
  public Route(String name, Codec<Q> requestCodec, Codec<R> replyCodec) {
    this(name, requestCodec, replyCodec, false);
  }

  /**
   * Permits a {@link Remote} to send a request again when its session ends before the reply arrives. The handler may
   * then run more than once for one request.
   *
   * @return a copy of the route
   */
  public Route<Q, R> asIdempotent() {
    return new Route<>(name, requestCodec, replyCodec, true);
  }

  /** Returns the route of the requests that open channels of this route. */
  Route<String, R> ofChannels() {
    return new Route<>(name, ChannelCodec.of(requestCodec.name()), replyCodec);
  }

  /** Returns the name of a codec of the application, which may be null or have no name. */
  static String codecName(Codec<?> codec, String what) {
    Objects.requireNonNull(codec, what);
    return Objects.requireNonNull(codec.name(), () -> "name() of " + what + " " + codec);
  }

  /**
   * The request that opens a channel: the name of the stream that carries the values of the requester. The name of the
   * codec contains that of the values, so that a mismatch fails when the channel opens.
   */
  record ChannelCodec(String name) implements Codec<String> {

    private static final Codec<String> UTF8 = Codecs.utf8();
    private static final AtomicLong CHANNELS = new AtomicLong();

    /** Longer names of routes and codecs are cut. */
    private static final int MAX_CHARS = 60;

    /** Returns the codec of requests for channels whose values have a codec of the name. */
    static ChannelCodec of(String valueCodec) {
      return new ChannelCodec("channel:" + cut(valueCodec));
    }

    /** Returns the name of the stream of a new channel. */
    static String streamName(String route) {
      return "channel-" + CHANNELS.incrementAndGet() + ":" + cut(route);
    }

    private static String cut(String text) {
      return text.codePointCount(0, text.length()) <= MAX_CHARS
          ? text
          : text.substring(0, text.offsetByCodePoints(0, MAX_CHARS));
    }

    @Override
    public int maxEncodedBytes(String value) {
      return UTF8.maxEncodedBytes(value);
    }

    @Override
    public void encode(String value, ByteBuffer target) {
      UTF8.encode(value, target);
    }

    @Override
    public String decode(ByteBuffer source) {
      return UTF8.decode(source);
    }
  }
}
