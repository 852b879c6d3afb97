package io.railflux;

import io.railflux.message.Codec;
import io.railflux.wire.OpenFrame;
import java.util.Objects;

/**
 * Name and codecs of a request/reply or request/stream service; both sides must agree on all three.
 *
 * @param name 1 to 255 bytes of UTF-8, no control characters
 */
public record Route<Q, R>(String name, Codec<Q> requestCodec, Codec<R> replyCodec) {

  /** Refuses missing parts and names that cannot be sent. */
  public Route {
    OpenFrame.requireName("name of the route", Objects.requireNonNull(name, "name"));
    OpenFrame.requireName("name of the request's codec", codecName(requestCodec, "requestCodec"));
    OpenFrame.requireName("name of the reply's codec", codecName(replyCodec, "replyCodec"));
  }

  /** The name of a codec that may be none, and may have none. */
  static String codecName(Codec<?> codec, String what) {
    Objects.requireNonNull(codec, what);
    return Objects.requireNonNull(codec.name(), () -> "name() of " + what + " " + codec);
  }
}
