/**
 * Registered memory: protection domains, buffers for local requests, and regions that the peer may access.
 *
 * <p>Depends on {@code fabric} and {@code fabric.verbs.internal}.
 */
package io.railflux.fabric.verbs.memory;
