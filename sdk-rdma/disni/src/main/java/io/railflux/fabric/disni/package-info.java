/**
 * RDMA network cards through the DiSNI library, on Java 17 and later.
 *
 * <p>Reliable connections only; what DiSNI cannot do is declared absent. Three layers:
 *
 * <pre>
 *   DisniFabric → Connections → ConnectionEvents     the connection manager, a thread at each channel
 *        │
 *   DisniEndpoint → SendQueue, ReceiveQueue, Nudges  what the user posted; counts, no natives
 *        │
 *   QueuePair → SendCall, MessageSlots               natives, with their calls laid out once
 *   CompletionQueue                                  a thread at each channel, which only wakes
 * </pre>
 *
 * <p>A peer's messages come into slots this side keeps posted and are copied to the user's receives
 * ({@code ControlMessage} has the protocol); one-sided requests go straight to the user's memory.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.disni;
