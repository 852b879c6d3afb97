/**
 * The outgoing path of a frame: claims, batches, control frames, and the windows of sent and received frames.
 *
 * <p>Uses {@code path} and the layers below it.
 */
package io.railflux.engine.send;
