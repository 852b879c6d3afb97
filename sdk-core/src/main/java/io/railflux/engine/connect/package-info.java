/**
 * Establishes sessions and their subchannels: handshakes, authentication, reconnects and redials.
 *
 * <p>Uses {@code session} and the layers below it.
 */
package io.railflux.engine.connect;
