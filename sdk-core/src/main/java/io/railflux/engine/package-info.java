/**
 * The machinery: virtual channels, progress loop, completion filter, path repository, recovery.
 *
 * <p>It runs without threads, clocks or unseeded randomness, so that one seed gives one trace.
 * {@code EngineThread} alone owns the thread and the clock and passes the time in.
 *
 * <p>Depends on {@code pipeline}, {@code policy}, {@code fabric}, {@code wire}, {@code buffer},
 * {@code message}, {@code exceptions} and {@code metrics}, never on a particular fabric nor on the
 * API.
 */
package io.railflux.engine;
