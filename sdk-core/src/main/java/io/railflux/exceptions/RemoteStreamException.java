package io.railflux.exceptions;

/**
 * The publisher or handler on the far side failed. Only the name and the message of its exception
 * cross the wire: no class of the far side is ever loaded here.
 */
public final class RemoteStreamException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final String remoteClass;
  private final String remoteMessage;

  /**
   * @param remoteClass class name of the far exception, as the peer sent it
   * @param remoteMessage message of the far exception; null when it had none
   */
  public RemoteStreamException(String remoteClass, String remoteMessage) {
    super("the peer's publisher or handler failed with "
        + remoteClass
        + (remoteMessage == null ? "" : ": " + remoteMessage)
        + "; see the peer's log for the stack trace");
    this.remoteClass = remoteClass;
    this.remoteMessage = remoteMessage;
  }

  /** Class name of the far exception; text from the peer, do not trust it. */
  public String remoteClass() {
    return remoteClass;
  }

  /** Message of the far exception, or null when it had none or an empty one; text from the peer. */
  public String remoteMessage() {
    return remoteMessage;
  }
}
