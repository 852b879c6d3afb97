/**
 * TCP between hosts, the fabric that is always there.
 *
 * <p>A rail is an interface, a path a connection. The engine thread drives the I/O; unsent bytes a
 * path are capped so that control frames are never stuck behind data.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.tcp;
