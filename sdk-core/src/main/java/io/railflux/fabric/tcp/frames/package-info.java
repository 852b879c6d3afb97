/**
 * Frames of a connection: their layout, checksums, reader and writer, and the memory that payloads leave and enter.
 *
 * <p>Depends on {@code fabric} and Netty.
 */
package io.railflux.fabric.tcp.frames;
