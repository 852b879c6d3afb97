package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;

/** Answers the requests of one route. Engine thread only. */
public interface Responder {

  /** Name of the codec of requests. */
  String requestCodec();

  /** Name of the codec of replies. */
  String replyCodec();

  /** Whether a request has one reply at most. */
  boolean single();

  /**
   * A request came in.
   *
   * @param request valid during the call; its body begins with the route id
   * @param exchange where replies go
   */
  void onRequest(ReceivedFrame request, ServedExchange exchange);
}
