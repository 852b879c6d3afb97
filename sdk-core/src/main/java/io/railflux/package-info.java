/**
 * What a user types: configuration, node, peer, typed streams, request and reply.
 *
 * <p>A configuration is immutable and copied on write. Opening it gives a node, a node gives
 * peers, a peer gives streams as {@code Flux} and {@code Mono}. Public time is a {@code Duration};
 * sizes carry their unit in the name.
 *
 * <p>Depends on every other package of the core; none of them depends on it.
 */
package io.railflux;
