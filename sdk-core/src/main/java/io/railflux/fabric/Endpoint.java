package io.railflux.fabric;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected queue pair, or its equivalent.
 *
 * <p><b>Order:</b> requests of one endpoint take effect at the peer in the order of posting, sends are received in
 * that order, and completions arrive in that order. {@link Capabilities#orderedPlacement()} states whether the bytes
 * <em>within</em> one write become visible in address order.
 *
 * <p><b>Thread:</b> engine thread only.
 */
public interface Endpoint extends AutoCloseable {

  /**
   * Returns the identity of the endpoint.
   *
   * @return unique within the fabric, never reused
   */
  long id();

  /**
   * Returns the state of the endpoint.
   *
   * @return the present state
   */
  EndpointState state();

  /**
   * Returns whether the peer's process is known to have ended, as opposed to a lost connection. Only fabrics with
   * {@link Capabilities.Feature#PEER_DEATH_REPORTED} know. Callable in every state.
   *
   * @return true if the process has ended; false by default
   */
  default boolean peerGone() {
    return false;
  }

  /**
   * Describes the other end for people.
   *
   * @return process, user or address
   */
  String remoteDescription();

  /**
   * Describes the other end without parts that differ between its connections, such as a port. Log lines that are
   * limited per host use it. Callable in every state.
   *
   * @return the host; by default {@link #remoteDescription}
   */
  default String remoteHost() {
    return remoteDescription();
  }

  /**
   * Describes the resource that this process lacks to keep the endpoint for a new peer. An endpoint that was accepted
   * with the last file descriptor serves an existing session, or carries the refusal.
   *
   * @return resource and remedy in one line; null without a shortage
   */
  default @Nullable String shortage() {
    return null;
  }

  /**
   * Returns the protection of the endpoint.
   *
   * @return constant during its life; {@link Protection#NONE} by default
   */
  default Protection protection() {
    return Protection.NONE;
  }

  /**
   * Returns whether the fabric detects changes in transit by its own checksums.
   *
   * @return constant during its life; false by default
   */
  default boolean isChecksummed() {
    return false;
  }

  /**
   * Exposes new, zeroed memory of the fabric to this peer only.
   *
   * @param lengthBytes size in bytes, rounded up as the fabric requires
   * @param access permissions of the peer
   * @return the region, owned by the caller
   * @throws io.railflux.exceptions.FabricUnavailableException if no memory is available, for example because {@code
   *     /dev/shm} is full; no memory stays allocated
   * @throws IllegalStateException if the endpoint is not {@link EndpointState#READY}
   */
  ExposedRegion expose(int lengthBytes, Access access);

  /**
   * Exposes memory of the caller to this peer only, in full and without zeroing. The memory stays the property of the
   * caller. Several endpoints may expose the same memory, repeatedly, and it may be registered too.
   *
   * <p>The caller keeps the memory reachable and does not reuse it until the region is closed. After {@link
   * ExposedRegion#close()} the peer neither reads nor changes the memory: a write in progress has landed or never
   * lands. The endpoint may be in error as a consequence, as with every revoked key. Closing the endpoint closes the
   * region likewise.
   *
   * @param memory a direct buffer; position and limit are ignored
   * @param access permissions of the peer
   * @return a region with the capacity of the buffer
   * @throws UnsupportedOperationException without {@link Capabilities.Feature#EXPOSES_USER_MEMORY}
   * @throws IllegalArgumentException for a heap buffer, or a read-only buffer with write permission
   * @throws io.railflux.exceptions.FabricUnavailableException if the memory cannot be registered, for example because
   *     the limit of locked memory is reached; no memory stays registered
   * @throws IllegalStateException if the endpoint is not {@link EndpointState#READY}
   */
  default ExposedRegion expose(ByteBuffer memory, Access access) {
    throw new UnsupportedOperationException("this fabric exposes memory of its own only");
  }

  /**
   * Makes an exposed region of the peer usable in {@link WorkRequest#remote}.
   *
   * @param key {@link ExposedRegion#key()} of the peer
   * @param lengthBytes size of the region in bytes
   * @return the region, owned by the caller
   * @throws RemoteAccessException if the key is unknown, the length is wrong, or the region is not exposed to this
   *     endpoint
   */
  RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException;

  /**
   * Posts a request, which the caller may reuse at once. The buffers of the request stay borrowed until its
   * completion; those of an unsignaled request until the completion of a later request of this endpoint.
   *
   * @param request the request
   * @return {@link PostResult#POSTED}, or the reason why the request was not posted. A request with an invalid range
   *     or key is posted, completes with {@link CompletionStatus#REMOTE_ACCESS} or {@link
   *     CompletionStatus#LOCAL_PROTECTION} without effect, and puts the endpoint into error, as with verbs
   */
  PostResult post(WorkRequest request);

  /**
   * Posts a buffer for one incoming {@link Opcode#SEND} or immediate. Receives complete in the order of posting.
   *
   * @param id identity of the receive, returned in its completion
   * @param memory registered memory, borrowed until the completion
   * @param offset start of the buffer in {@code memory}
   * @param lengthBytes length of the buffer in bytes
   * @return {@link PostResult#POSTED}, or the reason why the buffer was not posted
   */
  PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes);

  /**
   * Wakes the peer if it sleeps. All requests posted to this endpoint, and all writes to mapped regions, are visible
   * to the peer when it wakes. Costs one fence and one load if the peer is awake.
   */
  void notifyPeer();

  /**
   * Replaces {@link #notifyPeer} if the next duty cycle presumably posts more requests. The posted requests may wait
   * for them, for a few polls. They leave when they are many, with the first {@link Fabric#poll} without a call of
   * this method before it, with {@link #notifyPeer}, {@link #close} or {@link Fabric#arm}. By default no request
   * waits.
   */
  default void moreFollows() {
    notifyPeer();
  }

  /**
   * Puts the endpoint into error. After {@link FabricListener#onDrained} no request of the peer takes effect.
   * Idempotent.
   *
   * @param reason cause in one line, passed to {@link FabricListener#onError}
   */
  void fence(String reason);

  /** Fences the endpoint without callbacks and releases all its resources, including exposed regions. Idempotent. */
  @Override
  void close();
}
