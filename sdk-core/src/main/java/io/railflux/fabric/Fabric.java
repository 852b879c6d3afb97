package io.railflux.fabric;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An opened network in verbs terms: memory is registered, endpoints are connected, work requests are
 * posted and completions polled.
 *
 * <p><b>Thread:</b> every method is called on the engine thread only. No method blocks. Callbacks
 * ({@link FabricListener}) run inside {@link #poll} or {@link #connect}'s later polls, never inside
 * {@link Endpoint#post}.
 */
public interface Fabric extends AutoCloseable {

  /** Same as {@link FabricProvider#name()}. */
  String name();

  /** What this fabric can do; constant for its life. */
  Capabilities capabilities();

  /**
   * Registers memory as source or sink of local work requests (a local key in verbs terms). The
   * memory stays the caller's and must outlive the registration.
   *
   * @param memory a direct buffer; its whole capacity is registered
   */
  LocalMemory register(ByteBuffer memory);

  /**
   * Accepts connections at {@code location} (fabric-specific: a socket name, a host and port).
   *
   * @return the location in effect, for instance with the port chosen
   * @throws IOException when the location is taken, malformed or forbidden; the message says which
   */
  Listening listen(String location, FabricListener listener) throws IOException;

  /**
   * What will protect endpoints that are accepted at {@code location}, asked before {@link #listen}. A
   * location that is malformed may get any answer.
   */
  default Protection protectionAt(String location) {
    return Protection.NONE;
  }

  /**
   * Begins to connect to {@code location}. Exactly one of {@link FabricListener#onConnected} and
   * {@link FabricListener#onConnectFailed} follows from a later {@link #poll}, unless the fabric is
   * closed first.
   *
   * @param attempt caller's number for this attempt, handed back in the callback
   */
  void connect(String location, long attempt, FabricListener listener);

  /**
   * Delivers completions and connection events to {@code listener}s, at most {@code limit} of them.
   *
   * @return how many were delivered; 0 when there was nothing to do
   */
  int poll(int limit);

  /**
   * Asks for a wake-up ({@link FabricContext#wakeUp} or what is ready in its event loop) at the next event:
   * completion, connection event or a peer's {@link Endpoint#notifyPeer}. One-shot. After it the
   * caller looks at rings, {@link #poll}s and posts what found no room once more before it sleeps: an
   * event that came before the arming took effect is found by that look, one that comes later wakes.
   */
  void arm();

  /** Withdraws {@link #arm()}; peers no longer need to signal. */
  void disarm();

  /** Closes every endpoint, listener and registration. Idempotent. Listeners hear nothing more. */
  @Override
  void close();

  /** An open listening point. */
  interface Listening extends AutoCloseable {

    /** Location a peer can connect to. */
    String location();

    /** Stops accepting; accepted endpoints live on. Idempotent. */
    @Override
    void close();
  }
}
