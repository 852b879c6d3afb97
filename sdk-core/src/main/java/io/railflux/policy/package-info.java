/**
 * The decisions a user may replace: striping, channels, rendezvous, credits, retransmission,
 * connections, buffers.
 *
 * <p>A policy is pure: time and measurements are passed in; it has no clock, does no I/O and does
 * not allocate on the hot path. The core has a default for each and works alone.
 *
 * <p>Depends on no other package.
 */
package io.railflux.policy;
