/**
 * How receive memory is shared between paths and peers.
 *
 * <p>RB1: one receive queue for all paths and peers. RB2: a shared queue a buffer size, the sender
 * picks the smallest that fits, sizes and counts given by a specification string. RB3: extended
 * sharing, one send endpoint a remote host. RB4: extended and plain connections in one node at
 * once.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.buffers;
