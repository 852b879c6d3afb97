/**
 * Devices with their completion queues and queue pairs, and the thread that waits for their events.
 *
 * <p>Depends on {@code fabric}, {@code fabric.verbs.memory} and {@code fabric.verbs.internal}.
 */
package io.railflux.fabric.verbs.device;
