/**
 * Which software channel carries the traffic of a peer.
 *
 * <p>CH2: the three software channels and their mapping of eager and rendezvous. CH3: a switch
 * loses, reorders and pauses nothing. CH4: the best mapping, exact against the naive double loop
 * and faster. CH5: windows that slide about once a second. CH6: a bounded pool of dedicated
 * endpoints and a bounded table of statistics. CH7: on demand, threshold, first come first served,
 * least recently used and by message size, to compare with.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.channels;
