/**
 * The send queue and the receive queue of an endpoint, and the encoding of requests for the device.
 *
 * <p>Depends on {@code fabric}, {@code fabric.verbs.device}, {@code fabric.verbs.memory} and {@code
 * fabric.verbs.internal}.
 */
package io.railflux.fabric.verbs.queue;
