/**
 * Shared memory between processes of one host.
 *
 * <p>A mapped file a pair, preallocated by writing, mode 0600, unlinked once both sides mapped it.
 * The mapped ring entry itself is the sender's log. Headers are copied to locals before they are
 * validated.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.shm;
