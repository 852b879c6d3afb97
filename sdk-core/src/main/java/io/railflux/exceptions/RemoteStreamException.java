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

  /**
   * Creates the exception.
   *
   * @param stream name of the stream or route
   * @param peer description of the peer
   * @param remoteClass class name of the remote exception, as the peer sent it
   * @param remoteMessage message of the remote exception; null without one
   */
  public RemoteStreamException(
      String stream, String peer, String remoteClass, @Nullable String remoteMessage) {
    super("stream '"
        + stream
        + "': the publisher or handler on "
        + peer
        + " failed with "
        + remoteClass
        + (remoteMessage == null ? "" : ": " + remoteMessage));
    this.remoteClass = remoteClass;
    this.remoteMessage = remoteMessage;
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
   * Returns the message of the remote exception.
   *
   * @return the message, untrusted text of the peer; null if the exception has none or an empty one
   */
  public @Nullable String remoteMessage() {
    return remoteMessage;
  }
}
