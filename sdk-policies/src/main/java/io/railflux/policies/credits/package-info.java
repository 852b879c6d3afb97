/**
 * When and how room and demand are told to the far producer.
 *
 * <p>CH1: credits return piggybacked, or explicitly at least once every quantum of receives.
 * Positions are cumulative 64-bit numbers, so that telling one twice or losing one does no harm;
 * beside message demand there is a byte budget for rendezvous, which one oversized message may
 * exceed alone.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.credits;
