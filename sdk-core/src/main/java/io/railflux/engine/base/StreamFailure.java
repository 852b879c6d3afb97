package io.railflux.engine.base;

import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.exceptions.ProtocolViolationException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.wire.ErrorFrame;

/**
 * Reason for the end of a channel, as reported by each of its streams.
 *
 * @param kind selects the exception for users
 * @param text the event, with the name of the peer
 * @param farewell the cause in the GOODBYE frame, from the peer's point of view
 */
public record StreamFailure(Kind kind, String text, String farewell) {

  /** Creates a failure with the same text for both sides. */
  public StreamFailure(Kind kind, String text) {
    this(kind, text, text);
  }

  /** The failure of a producer whose node closes. The ERROR frame carries it like any other failure. */
  public static PeerClosedException closing(String node) {
    return new PeerClosedException(node + " is closing");
  }

  /**
   * Describes the failure of a publisher or handler for the peer. A failure that this node relays keeps class, message
   * and origin, so that a message does not grow with each node.
   *
   * @param error the failure
   */
  public static ErrorFrame describe(Throwable error) {
    return error instanceof RemoteStreamException relayed
        ? new ErrorFrame(relayed.remoteClass(), relayed.remoteMessage(), relayed.origin())
        : ErrorFrame.of(error);
  }

  /**
   * Whether the stream ended because its producer's node closes. A producer that relays a stream of a third node
   * may fail with the same class, but its message names another node.
   */
  public static boolean isClosing(ErrorFrame failure, String node) {
    return failure.equals(ErrorFrame.of(closing(node)));
  }

  /** Causes of an end. */
  public enum Kind {
    /** Closed on purpose by either side. */
    CLOSED,
    /** The process ended or restarted, or was unreachable for too long. */
    LOST,
    /** The peer violated the protocol. */
    VIOLATION
  }

  /** Returns the sender's error: unacknowledged messages may or may not have arrived. */
  public Throwable forSender(String stream, long acknowledged) {
    String where = "stream '" + stream + "': " + text;
    return switch (kind) {
      case CLOSED, LOST ->
        new DeliveryUnknownException(
            where + "; " + acknowledged + " messages were acknowledged", acknowledged);
      case VIOLATION -> new ProtocolViolationException(where);
    };
  }

  /** Returns the error of the receiver of a stream. */
  public Throwable forReceiver(String stream) {
    return error("stream '" + stream + "': " + text, false);
  }

  /**
   * Returns the error of a request.
   *
   * @param unsent whether the request still waited on this side, so that no handler has received it
   */
  public Throwable forRequester(String route, boolean unsent) {
    return error("request '" + route + "': " + text, unsent);
  }

  private Throwable error(String message, boolean unsent) {
    return switch (kind) {
      case CLOSED -> new PeerClosedException(message, unsent);
      case LOST -> new PeerUnreachableException(message, unsent);
      case VIOLATION -> new ProtocolViolationException(message);
    };
  }
}
