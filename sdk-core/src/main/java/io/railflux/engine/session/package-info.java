/**
 * The session of two peers: its state, the receive path, recovery of lost subchannels, liveness and closing.
 *
 * <p>Uses {@code stream} and the layers below it.
 */
package io.railflux.engine.session;
