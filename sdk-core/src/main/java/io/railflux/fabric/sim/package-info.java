/**
 * A simulated network: rails, paths, delays and faults, all from one seed.
 *
 * <p>It declares whatever capabilities a test asks for and keeps virtual time. It is the main
 * proof of correctness and the ground of the laboratory.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.sim;
