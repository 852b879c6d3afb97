package io.railflux.fabric;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open network in terms of verbs: registers memory, connects endpoints, accepts work requests and delivers
 * completions.
 *
 * <p><b>Thread:</b> engine thread only. No method blocks. Callbacks of {@link FabricListener} run inside {@link
 * #poll}, never inside {@link Endpoint#post}.
 */
public interface Fabric extends AutoCloseable {

  /**
   * Returns the name of the fabric.
   *
   * @return {@link FabricProvider#name()}
   */
  String name();

  /**
   * Returns the abilities of the fabric.
   *
   * @return constant during its life
   */
  Capabilities capabilities();

  /**
   * Registers memory as source or sink of local work requests (a local key in terms of verbs). The memory stays the
   * property of the caller and must outlive the registration.
   *
   * @param memory a direct buffer; its whole capacity is registered
   * @return the registration, owned by the caller
   */
  LocalMemory register(ByteBuffer memory);

  /**
   * Accepts connections at a location.
   *
   * @param location location in the syntax of the fabric, such as a socket name or host and port
   * @param listener receives the events of accepted endpoints
   * @return the listener, with the effective location, owned by the caller
   * @throws IOException if the location is in use, malformed or forbidden; the message states which
   */
  Listening listen(String location, FabricListener listener) throws IOException;

  /**
   * Returns the protection of endpoints that would be accepted at a location. Called before {@link #listen}.
   *
   * @param location location in the syntax of the fabric; the result for a malformed location is undefined
   * @return the protection; {@link Protection#NONE} by default
   */
  default Protection protectionAt(String location) {
    return Protection.NONE;
  }

  /**
   * Starts to connect to a location. A later {@link #poll} calls exactly one of {@link FabricListener#onConnected}
   * and {@link FabricListener#onConnectFailed}, unless the fabric is closed first.
   *
   * @param location location in the syntax of the fabric
   * @param attempt number chosen by the caller, passed to the callback
   * @param listener receives the result and the events of the endpoint
   */
  void connect(String location, long attempt, FabricListener listener);

  /**
   * Delivers completions and connection events.
   *
   * @param limit largest number of events to deliver
   * @return number of delivered events
   */
  int poll(int limit);

  /**
   * Requests one wake-up at the next event: a completion, a connection event, or {@link Endpoint#notifyPeer} of a
   * peer. The wake-up is {@link FabricContext#wakeUp} or an event of the socket loop. Before it sleeps, the caller
   * polls rings and fabrics once more: that finds events from before the arming, and later events wake the engine.
   */
  void arm();

  /** Withdraws {@link #arm()}; peers need not signal any more. */
  void disarm();

  /** Closes every endpoint, listener and registration. No callback follows. Idempotent. */
  @Override
  void close();

  /** A location at which the fabric accepts connections. */
  interface Listening extends AutoCloseable {

    /**
     * Returns the effective location.
     *
     * @return location that a peer can connect to, for example with the chosen port
     */
    String location();

    /** Stops accepting. Accepted endpoints stay open. Idempotent. */
    @Override
    void close();
  }
}
