/**
 * A decorator that injects seeded faults into any fabric, for tests and drills on real networks.
 *
 * <p>It injects only failures that the contract permits: a full queue, a failed request with its endpoint in error, a
 * refused connection, a late completion.
 *
 * <p>Depends on {@code fabric} and {@code exceptions} only.
 */
package io.railflux.fabric.faults;
