package io.railflux;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The request that opens a channel: the name of the stream that carries the values of the requester. The name of the
 * codec contains that of the values, so that a mismatch fails when the channel opens.
 */
record ChannelCodec(String name) implements Codec<String> {

  private static final Codec<String> UTF8 = Codecs.utf8();
  private static final AtomicLong CHANNELS = new AtomicLong();

  /** Longer names of routes and codecs are cut. */
  private static final int MAX_CHARS = 60;

  /** Returns the route that opens channels of a route. */
  static <R> Route<String, R> route(Route<?, R> route) {
    String values = route.requestCodec().name();
    return new Route<>(
        route.name(), new ChannelCodec("channel:" + cut(values)), route.replyCodec());
  }

  /** Returns the name of the stream of a new channel. */
  static String streamName(Route<?, ?> route) {
    return "channel-" + CHANNELS.incrementAndGet() + ":" + cut(route.name());
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
