/**
 * Completion queues and connection events, with the threads that wait for them and wake the engine.
 *
 * <p>Depends on {@code fabric} and DiSNI.
 */
package io.railflux.fabric.disni.events;
