/**
 * The queue pair of an endpoint: requests, receives, message slots and control messages.
 *
 * <p>Depends on {@code fabric}, {@code fabric.disni.memory}, {@code fabric.disni.events} and DiSNI.
 */
package io.railflux.fabric.disni.queue;
