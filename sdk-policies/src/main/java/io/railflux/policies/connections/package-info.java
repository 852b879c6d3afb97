/**
 * When a peer is given endpoints of its own, and when it loses them.
 *
 * <p>CM1: on demand after more than 16 messages, adjustable; quiescent ones are dismantled. CM2:
 * at most 2 log2 N at the start, to peers at distance 2^k. CM3: datagram handshake with time-outs
 * and numbers; simultaneous requests resolved by peer id. CM4: connection-manager handshake, the
 * higher id serves.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.connections;
