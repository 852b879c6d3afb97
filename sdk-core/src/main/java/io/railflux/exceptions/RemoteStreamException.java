package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * The publisher or handler of the peer failed. Only class name and message of its exception cross the wire; this node
 * never loads a class that the peer names.
 */
public final class RemoteStreamException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final String remoteClass;
  private final @Nullable String remoteMessage;
  private final String origin;

  /**
   * Creates the exception of a failure that arose at the peer.
   *
   * @param stream name of the stream or route
   * @param peer description of the peer
   * @param remoteClass class name of the remote exception, as the peer sent it
   * @param remoteMessage message of the remote exception; null without one
   */
  public RemoteStreamException(
      String stream, String peer, String remoteClass, @Nullable String remoteMessage) {
    super(text(stream, peer, remoteClass, remoteMessage));
    this.remoteClass = remoteClass;
    this.remoteMessage = remoteMessage;
    this.origin = "stream '" + stream + "' of " + peer;
  }

  /**
   * Creates the exception of a failure that the peer relays from a further node.
   *
   * @param stream name of the stream or route
   * @param peer description of the peer
   * @param remoteClass class name of the exception at its origin
   * @param remoteMessage message of the exception at its origin; null without one
   * @param origin stream and node of the failure, as the peer sent it
   */
  public RemoteStreamException(
      String stream,
      String peer,
      String remoteClass,
      @Nullable String remoteMessage,
      String origin) {
    super(text(stream, peer, remoteClass, remoteMessage) + "; origin: " + origin);
    this.remoteClass = remoteClass;
    this.remoteMessage = remoteMessage;
    this.origin = origin;
  }

  private static String text(
      String stream, String peer, String remoteClass, @Nullable String remoteMessage) {
    String failure = remoteMessage == null ? remoteClass : remoteClass + ": " + remoteMessage;
    return "stream '" + stream + "': the publisher or handler on " + peer + " failed with "
        + failure;
  }

  /**
   * Returns the class of the remote exception.
   *
   * @return the class name; untrusted text of the peer
   */
  public String remoteClass() {
    return remoteClass;
  }

  /**
   * Returns where the failure arose. Class and message are those of the exception there, however many nodes relay it.
   *
   * @return stream and node as text for people; untrusted text of the peer if it relays the failure
   */
  public String origin() {
    return origin;
  }

  /**
   * Returns the message of the remote exception.
   *
   * @return the message, untrusted text of the peer; null if the exception has none or an empty one
   */
  public @Nullable String remoteMessage() {
    return remoteMessage;
  }
}
