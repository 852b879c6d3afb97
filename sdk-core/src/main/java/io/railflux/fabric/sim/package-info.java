/**
 * A network in virtual time with the semantics of verbs and seeded faults.
 *
 * <p>Every event is an entry of one queue, ordered by time and sequence number. One seeded generator makes every
 * choice, and one hash covers every event: the same seed produces the same run. The simulation is hostile where the
 * SPI permits it. Bytes of a write become visible piece by piece. Memory lent to a request may be read at the last
 * moment. Requests in flight land after their sender received a failure.
 *
 * <p>Depends on {@code fabric} and {@code exceptions}; never on the engine or another fabric.
 */
package io.railflux.fabric.sim;
