/**
 * RDMA network cards through the DiSNI library, on Java 17 and later.
 *
 * <p>Reliable connections only; abilities that DiSNI lacks are not declared. Three layers:
 *
 * <pre>
 *   DisniFabric → DisniConnections → ConnectionEvents     connection manager, one thread per channel
 *        │
 *   DisniEndpoint → DisniSendQueue, DisniReceiveQueue, Nudges  posted requests; counts, no native calls
 *        │
 *   DisniQueuePair → SendCall, MessageSlots               native objects, with prepared calls
 *   DisniCompletionQueue                                  one thread per channel, which only wakes
 * </pre>
 *
 * <p>Messages of the peer arrive in slots that this side keeps posted, and are copied to the receives of the user
 * ({@code ControlMessage} documents the protocol). One-sided requests access the memory of the user directly.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the engine or another
 * fabric.
 */
package io.railflux.fabric.disni;
