package io.railflux.fabric;

import java.nio.ByteBuffer;

/**
 * A connected queue pair or its like: the association of one local and one remote attachment.
 *
 * <p><b>Ordering:</b> requests of one endpoint take effect at the peer in posting order, sends are
 * received in posting order, completions come in posting order. Whether the bytes <em>inside</em> one
 * write become visible in address order is {@link Capabilities#orderedPlacement()}.
 *
 * <p><b>Thread:</b> engine thread only.
 */
public interface Endpoint extends AutoCloseable {

  /** Unique within the fabric, never reused. */
  long id();

  EndpointState state();

  /**
   * Whether the peer's process is known to have ended, as opposed to a lost connection. Only fabrics
   * with {@link Capabilities.Feature#PEER_DEATH_REPORTED} can know; callable in every state.
   */
  default boolean peerGone() {
    return false;
  }

  /** Who is at the other end, for messages to people: process, user, address. */
  String remoteDescription();

  /**
   * Where the other end is, without what changes with every connection (a port, a number): what is said
   * once per peer is said once per value. Callable in every state.
   */
  default String remoteHost() {
    return remoteDescription();
  }

  /** What protects this endpoint; constant for its life. */
  default Protection protection() {
    return Protection.NONE;
  }

  /**
   * Exposes fresh, zeroed memory to this peer only.
   *
   * @param lengthBytes size; rounded up as the fabric needs, never down
   * @throws io.railflux.exceptions.FabricUnavailableException when memory cannot be had, for instance
   *     because {@code /dev/shm} is full; nothing stays allocated
   * @throws IllegalStateException when not {@link EndpointState#READY}
   */
  ExposedRegion expose(int lengthBytes, Access access);

  /**
   * Exposes memory of the caller to this peer only, all of it, as it is: nothing is zeroed, nothing
   * rounded up. The memory stays the caller's. The same memory may be exposed by several endpoints and
   * several times, and be registered as well.
   *
   * <p>The caller keeps the memory reachable and does not give it another meaning until the region is
   * closed. When {@link ExposedRegion#close()} has returned, nothing of the peer reads or changes the
   * memory any more: a write under way has landed or never does, and the endpoint may be in error for
   * it, as with every revoked key. Closing the endpoint closes the region likewise.
   *
   * @param memory a direct buffer; position and limit mean nothing
   * @return a region of exactly the buffer's capacity
   * @throws UnsupportedOperationException where {@link
   *     Capabilities.Feature#EXPOSES_USER_MEMORY} is not declared
   * @throws IllegalArgumentException for a heap buffer, or a read-only one the peer could write to
   * @throws io.railflux.exceptions.FabricUnavailableException when it cannot be registered, for
   *     instance because the limit of locked memory is reached; nothing stays registered
   * @throws IllegalStateException when not {@link EndpointState#READY}
   */
  default ExposedRegion expose(ByteBuffer memory, Access access) {
    throw new UnsupportedOperationException("this fabric exposes memory of its own only");
  }

  /**
   * Makes a region the peer exposed usable in {@link WorkRequest#remote}.
   *
   * @param key as told by {@link ExposedRegion#key()} over there
   * @throws RemoteAccessException unknown key, wrong length, or not exposed to this endpoint
   */
  RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException;

  /**
   * Posts one request; the object may be reused at once. Buffers it names stay borrowed until its
   * completion, or for unsignaled ones until the completion of a later request of this endpoint.
   *
   * @return {@link PostResult#POSTED}, or why nothing was posted. An access outside a region, or one
   *     its keys do not allow, is POSTED and completes with {@link CompletionStatus#REMOTE_ACCESS}
   *     or {@link CompletionStatus#LOCAL_PROTECTION}, has changed nothing, and the endpoint goes into
   *     error, as with verbs.
   */
  PostResult post(WorkRequest request);

  /**
   * Posts a buffer for one incoming {@link Opcode#SEND} or immediate. Completes in order.
   *
   * @param id handed back in the completion
   */
  PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes);

  /**
   * Tells the peer, if it sleeps, that there is something to look at. Everything posted to this
   * endpoint and written into mapped regions before is visible to the peer when it wakes. Costs one
   * fence and one load when the peer is awake.
   */
  void notifyPeer();

  /**
   * In place of {@link #notifyPeer} where the next duty cycle presumably posts more: what was posted may wait for
   * that, for a few polls. It leaves when it is much, with the first {@link Fabric#poll} before which this was not
   * said again, with {@link #notifyPeer}, with {@link #close} or with {@link Fabric#arm}. Default: nothing waits.
   */
  default void moreFollows() {
    notifyPeer();
  }

  /**
   * Goes into error on purpose: nothing of the peer takes effect after {@link
   * FabricListener#onDrained}. Idempotent.
   */
  void fence(String reason);

  /** Fences without callbacks and releases everything, exposed regions included. Idempotent. */
  @Override
  void close();
}
