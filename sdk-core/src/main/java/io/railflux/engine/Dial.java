package io.railflux.engine;

import io.railflux.fabric.Endpoint;

/** One try at making an endpoint to a peer. Engine thread only. */
interface Dial {

  /** Nobody wants it any more: an endpoint that comes of it is closed. */
  boolean isObsolete();

  /** What follows on the endpoint that came of it; it has not begun. */
  Handshake handshake(Engine engine, Rail rail, Endpoint endpoint);

  void failed(String reason);

  /** The node closes. */
  void nodeLeaves(String reason);
}
