/**
 * The stages of sending and receiving, one Reactor operator per class.
 *
 * <p>A stage is an operator over demand, usable and tested alone: only {@code request} of downstream pulls upstream.
 * Stages fuse or run inline, without a queue, thread hop or allocation per message between them.
 *
 * <p>Depends on {@code message}, {@code policy}, {@code wire}, {@code buffer} and {@code exceptions}, never on the
 * engine.
 */
package io.railflux.pipeline;
