/**
 * A connection and a stream between two engines of this process, without threads, files or sockets, that load the
 * classes of the first real one before it begins.
 *
 * <p>Depends on the engine and on {@code fabric.sim}; only the public API depends on it.
 */
@NullMarked
package io.railflux.rehearsal;

import org.jspecify.annotations.NullMarked;
