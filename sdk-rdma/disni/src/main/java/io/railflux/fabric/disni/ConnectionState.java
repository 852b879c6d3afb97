package io.railflux.fabric.disni;

import java.util.EnumSet;
import java.util.Set;

/**
 * States of a connection until its endpoint exists. Every state but the last two may become {@link #GONE}.
 *
 * <pre>
 * connecting   QUEUED → RESOLVING_ADDRESS → RESOLVING_ROUTE → CONNECTING → GREETING → ESTABLISHED
 * accepting    ACCEPTING → GREETING → ESTABLISHED
 * </pre>
 */
enum ConnectionState {
  /** No identifier is in stock. */
  QUEUED,
  RESOLVING_ADDRESS,
  RESOLVING_ROUTE,
  /** The request was sent. */
  CONNECTING,
  /** The reply was sent. */
  ACCEPTING,
  /** Connected; the peer has sent no message. */
  GREETING,
  /** The listener has the endpoint. */
  ESTABLISHED,
  /** Failed or abandoned; all resources are released. */
  GONE;

  boolean canBecome(ConnectionState next) {
    return followers().contains(next);
  }

  private Set<ConnectionState> followers() {
    return switch (this) {
      case QUEUED -> EnumSet.of(RESOLVING_ADDRESS, GONE);
      case RESOLVING_ADDRESS -> EnumSet.of(RESOLVING_ROUTE, GONE);
      case RESOLVING_ROUTE -> EnumSet.of(CONNECTING, GONE);
      case CONNECTING, ACCEPTING -> EnumSet.of(GREETING, GONE);
      case GREETING -> EnumSet.of(ESTABLISHED, GONE);
      case ESTABLISHED, GONE -> EnumSet.noneOf(ConnectionState.class);
    };
  }
}
