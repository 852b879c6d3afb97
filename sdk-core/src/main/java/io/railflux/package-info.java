/**
 * The public API: configuration, node, peer, typed streams, request and reply.
 *
 * <p>A {@link io.railflux.Railflux} is an immutable configuration. Starting it creates a {@link io.railflux.Node}. A
 * node connects to and accepts {@link io.railflux.Peer}s, which send and receive streams as {@code Flux} and {@code
 * Mono}. Times are {@code Duration}s; names of sizes carry their unit.
 *
 * <p>Depends on every other package of the core; no other package depends on it.
 */
@NullMarked
package io.railflux;

import org.jspecify.annotations.NullMarked;
