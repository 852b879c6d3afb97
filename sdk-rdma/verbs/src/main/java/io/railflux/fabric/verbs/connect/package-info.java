/**
 * Connection management: locations, the greeting in private data, events of librdmacm and time-outs.
 *
 * <p>Depends on {@code fabric}, {@code fabric.verbs.device} and {@code fabric.verbs.internal}.
 */
package io.railflux.fabric.verbs.connect;
