/**
 * Rings: the writers and readers of frames, the send log, and the pace of acknowledgements and of writes.
 *
 * <p>Uses {@code base} and {@code seal}.
 */
package io.railflux.engine.ring;
