/**
 * Large messages: offers, grants, reads and writes, and messages that landed before their turn.
 *
 * <p>Uses {@code send} and the layers below it.
 */
package io.railflux.engine.rendezvous;
