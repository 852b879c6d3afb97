/**
 * Memory of simulated hosts: registrations, exposed regions, and the bytes of writes as they become visible.
 *
 * <p>Depends on {@code fabric} and {@code fabric.sim.events}.
 */
package io.railflux.fabric.sim.memory;
