package io.railflux.engine.stream;

import io.railflux.wire.OpenFrame;

/**
 * A route of a peer that this node requests. The peer learns of the route with its first request, and anew after a
 * refusal. Written by the engine thread; others read values that
 * may lag behind.
 */
final class RequestedRoute {

  private static final long UNANNOUNCED = 0;

  private final Exchanges.RouteKey key;
  private long id = UNANNOUNCED;
  private int open;
  private long replies;
  // Time of the last reply, or of the first request since none was open.
  private long movedNanos;

  RequestedRoute(Exchanges.RouteKey key) {
    this.key = key;
  }

  boolean isAnnounced() {
    return id != UNANNOUNCED;
  }

  OpenFrame announcement() {
    return new OpenFrame(OpenFrame.ROUTE, key.name(), key.requestCodec(), key.replyCodec());
  }

  void announced(long newId) {
    id = newId;
  }

  /** Handles the refusal of the route by the peer. */
  void refused() {
    id = UNANNOUNCED;
  }

  /** Returns the number by which requests name the announced route. */
  long id() {
    return id;
  }

  void requested(long nowNanos) {
    if (open++ == 0) {
      movedNanos = nowNanos;
    }
  }

  void replied(long messages, long nowNanos) {
    replies += messages;
    movedNanos = nowNanos;
  }

  void ended() {
    open--;
  }

  String name() {
    return key.name();
  }

  /** Returns the number of requests whose replies have not ended. */
  int open() {
    return open;
  }

  long replies() {
    return replies;
  }

  long movedNanos() {
    return movedNanos;
  }
}
