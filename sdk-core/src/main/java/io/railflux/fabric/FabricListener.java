package io.railflux.fabric;

/**
 * Receives the events of a fabric on the engine thread, inside {@link Fabric#poll}. Implementations must not throw; a
 * fabric may close the endpoint of a listener that does.
 */
public interface FabricListener {

  /** Begins the reason of a failed connect if no process listens at the location. */
  String NOTHING_LISTENS = "no process listens at ";

  /**
   * An endpoint is {@link EndpointState#READY}.
   *
   * @param endpoint the endpoint, owned by the listener
   * @param attempt number passed to {@link Fabric#connect}; -1 for an accepted endpoint
   */
  void onConnected(Endpoint endpoint, long attempt);

  /**
   * The fabric refused an incoming connection before it became an endpoint, for example because the other side sent
   * other bytes than expected, or none in time. By default does nothing.
   *
   * @param remoteHost as {@link Endpoint#remoteHost}
   * @param remoteDescription as {@link Endpoint#remoteDescription}
   * @param reason cause in one line
   */
  default void onStranger(String remoteHost, String remoteDescription, String reason) {}

  /**
   * The fabric could not accept a connection for lack of a resource, and retries. By default does nothing.
   *
   * @param location location of the listener
   * @param reason resource and remedy in one line
   */
  default void onShortage(String location, String reason) {}

  /**
   * A connect failed.
   *
   * @param attempt number passed to {@link Fabric#connect}
   * @param reason cause in one line, without the location
   */
  void onConnectFailed(long attempt, String reason);

  /**
   * A request completed. A successful request without {@link WorkRequest#signaled} has no completion; a failed
   * request always has one.
   *
   * @param endpoint endpoint of the request
   * @param completion the completion, valid during the call only
   */
  void onCompletion(Endpoint endpoint, Completion completion);

  /**
   * A checksum of the fabric shows that received bytes were changed in transit. Neither these bytes nor later ones
   * take effect. {@link #onError} follows. By default does nothing.
   *
   * @param endpoint endpoint that received the bytes
   */
  default void onCorrupted(Endpoint endpoint) {}

  /**
   * The endpoint left {@link EndpointState#READY}; called once. Its posted requests and receives complete as {@link
   * CompletionStatus#FLUSHED}, and {@link #onDrained} follows the last of them.
   *
   * @param endpoint the endpoint
   * @param reason cause in one line, such as "peer process ended"
   */
  void onError(Endpoint endpoint, String reason);

  /**
   * The endpoint has no further completions, and no further access of the peer through it takes effect.
   *
   * @param endpoint the endpoint
   */
  void onDrained(Endpoint endpoint);
}
