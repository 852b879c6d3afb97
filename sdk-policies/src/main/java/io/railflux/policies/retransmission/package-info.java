/**
 * What is sent again, where and when, after a failed completion.
 *
 * <p>FT1: a failed completion names the rail and the cause. FT2: a failed path is unavailable
 * until it recovers. FT3: work is cut anew for the remaining paths, only after the receiver fenced
 * the failed endpoint. FT4: failed paths are reconnected in the background. FT5: with no path left
 * streams pause and end with an error only after a configured time. FT6: alternate paths migrate
 * on error, or by hand for balance.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.retransmission;
