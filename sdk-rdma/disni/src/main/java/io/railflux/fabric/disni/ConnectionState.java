package io.railflux.fabric.disni;

import java.util.EnumSet;
import java.util.Set;

/**
 * A connection on its way to an endpoint. Any state but the last two may become {@link #GONE}.
 *
 * <pre>
 *   connecting   QUEUED → RESOLVING_ADDRESS → RESOLVING_ROUTE → CONNECTING → GREETING → ESTABLISHED
 *   accepting    ACCEPTING → GREETING → ESTABLISHED
 * </pre>
 */
enum ConnectionState {
  /** No identifier was in stock. */
  QUEUED,
  RESOLVING_ADDRESS,
  RESOLVING_ROUTE,
  /** The request is on its way. */
  CONNECTING,
  /** The answer is on its way. */
  ACCEPTING,
  /** Connected; the peer did not speak yet. */
  GREETING,
  /** The listener has the endpoint. */
  ESTABLISHED,
  /** Failed or given up, everything released. */
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
