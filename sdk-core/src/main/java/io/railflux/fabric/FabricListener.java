package io.railflux.fabric;

/**
 * Events of a fabric, delivered on the engine thread from inside {@link Fabric#poll}.
 *
 * <p>Implementations must not throw; a fabric is free to close an endpoint whose listener does.
 */
public interface FabricListener {

  /**
   * An endpoint is ready: {@link Endpoint#state()} is {@link EndpointState#READY}.
   *
   * @param attempt the number given to {@link Fabric#connect}, or -1 for an accepted endpoint
   */
  void onConnected(Endpoint endpoint, long attempt);

  /**
   * Somebody connected to a listening point and was turned away before there was an endpoint: he spoke
   * something else, or nothing in time.
   *
   * @param remoteHost as {@link Endpoint#remoteHost}
   * @param remoteDescription as {@link Endpoint#remoteDescription}
   * @param reason what he did, in one line
   */
  default void onStranger(String remoteHost, String remoteDescription, String reason) {}

  /** The attempt came to nothing. {@code reason} says what failed and where, in one line. */
  void onConnectFailed(long attempt, String reason);

  /**
   * A posted request ended. {@code completion} is reused: read it before returning.
   *
   * <p>Successful requests that were not {@link WorkRequest#signaled signaled} do not appear; failed
   * ones always do.
   */
  void onCompletion(Endpoint endpoint, Completion completion);

  /**
   * The endpoint left {@link EndpointState#READY}, once. Its posted requests complete as {@link
   * CompletionStatus#FLUSHED} (receives too), and after the last of them {@link #onDrained} follows.
   *
   * @param reason cause in one line, such as "peer process ended"
   */
  void onError(Endpoint endpoint, String reason);

  /** No completion of this endpoint follows and no access of the peer through it takes effect. */
  void onDrained(Endpoint endpoint);
}
