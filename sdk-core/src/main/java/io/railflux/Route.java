package io.railflux;

import io.railflux.message.Codec;
import java.util.Objects;

/**
 * Name and codecs of a request/reply or request/stream service; both sides must agree on all three.
 *
 * @param name 1 to 255 bytes of UTF-8
 */
public record Route<Q, R>(String name, Codec<Q> requestCodec, Codec<R> replyCodec) {

  /** Refuses missing parts. */
  public Route {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(requestCodec, "requestCodec");
    Objects.requireNonNull(replyCodec, "replyCodec");
  }
}
