/**
 * TCP between hosts, on every operating system.
 *
 * <p>A rail is an interface, a path is a connection. The engine thread drives all I/O by an event loop of Netty. The
 * bytes in flight of a path are bounded, so that control frames never wait behind much data.
 *
 * <p>Depends on {@code fabric}, {@code fabric.base}, {@code wire}, {@code buffer}, {@code exceptions} and Netty;
 * never on the engine or another fabric.
 */
package io.railflux.fabric.tcp;
