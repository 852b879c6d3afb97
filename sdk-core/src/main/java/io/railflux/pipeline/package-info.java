/**
 * The stages of sending and receiving, one Reactor operator a class.
 *
 * <p>A stage is an operator over demand, usable and tested alone: downstream {@code request} is
 * the only reason to pull upstream. Stages fuse or run inline, without a queue, a thread hop or an
 * allocation per message between them.
 *
 * <p>Depends on {@code message}, {@code policy}, {@code wire}, {@code buffer} and {@code
 * exceptions}, never on the engine.
 */
package io.railflux.pipeline;
