package io.railflux.engine;

import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.exceptions.ProtocolViolationException;

/**
 * Why a whole channel ended, as each of its streams tells it.
 *
 * @param kind which exception users get
 * @param text what happened, naming the peer
 */
public record StreamFailure(Kind kind, String text) {

  /** Causes of an end. */
  public enum Kind {
    /** Closed here or there on purpose. */
    CLOSED,
    /** Gone: process ended, restarted, or unreachable for too long. */
    LOST,
    /** The peer broke the protocol. */
    VIOLATION
  }

  /** What messages were not acknowledged may or may not have arrived. */
  Throwable forSender(String stream, long acknowledged) {
    String where = "stream '" + stream + "': " + text;
    return switch (kind) {
      case CLOSED, LOST ->
        new DeliveryUnknownException(
            where + "; " + acknowledged + " messages were acknowledged", acknowledged);
      case VIOLATION -> new ProtocolViolationException(where);
    };
  }

  Throwable forReceiver(String stream) {
    String where = "stream '" + stream + "': " + text;
    return switch (kind) {
      case CLOSED -> new PeerClosedException(where);
      case LOST -> new PeerUnreachableException(where);
      case VIOLATION -> new ProtocolViolationException(where);
    };
  }
}
