/**
 * The engine of a node: its duty cycle, its thread and its tasks. The layers below it are packages of
 * their own. A layer uses only layers below it: {@code connect}, {@code session}, {@code stream}, {@code
 * rendezvous}, {@code send}, {@code path}, {@code ring}, {@code seal}, {@code base}.
 *
 * <p>The engine runs without threads, clocks or unseeded randomness, so that one seed gives one trace.
 * {@code EngineThread} alone owns the thread and the clock and passes the time in.
 */
package io.railflux.engine;
