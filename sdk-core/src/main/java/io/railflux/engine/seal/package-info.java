/**
 * Encryption of frames and of the chunks of large messages.
 *
 * <p>Uses {@code base}.
 */
package io.railflux.engine.seal;
