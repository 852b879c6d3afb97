/**
 * A decorator that makes any fabric fail from a seed, for tests and drills on real networks.
 *
 * <p>It fails only in ways the contract allows: a full queue, a failed request with its endpoint in
 * error, a refused connection, a completion that comes late.
 *
 * <p>Depends on {@code fabric} and {@code exceptions} only.
 */
package io.railflux.fabric.faults;
