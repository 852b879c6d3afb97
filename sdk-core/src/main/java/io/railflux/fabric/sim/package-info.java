/**
 * A network that exists only in virtual time, with verbs semantics and seeded faults.
 *
 * <p>Everything that happens is an event of one queue ordered by time and sequence number, every
 * choice comes from one seeded generator, and every event is mixed into one hash: the same seed
 * gives the same run. The simulation is deliberately hostile where the SPI leaves room: bytes of a
 * write show up piece by piece, memory lent to a request may be read at the last moment, requests
 * already in flight land after their sender was told that they failed.
 *
 * <p>Depends on {@code fabric} and {@code exceptions}; never on the engine nor on another fabric.
 */
package io.railflux.fabric.sim;
