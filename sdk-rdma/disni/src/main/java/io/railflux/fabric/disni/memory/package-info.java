/**
 * Registered memory: protection domains, buffers for local requests, exposed regions and their keys.
 *
 * <p>Depends on {@code fabric} and DiSNI.
 */
package io.railflux.fabric.disni.memory;
