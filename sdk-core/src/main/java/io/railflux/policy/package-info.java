/**
 * Policies that an application may replace: striping, message channels, rendezvous, credit backoff,
 * recovery and retransmission.
 *
 * <p>A policy is a pure function: callers pass time and measurements in. It has no clock, does no I/O and does not
 * allocate on the hot path. The core has a default for each policy.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.railflux.policy;

import org.jspecify.annotations.NullMarked;
