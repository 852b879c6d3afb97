/**
 * Memory outside the heap with explicit owners: a budgeted pool with leak detection, and files mapped for sharing
 * between processes.
 *
 * <p>A view into a ring exists only during decoding; retained bytes are copied into a pool. Unmapping, on Java 17 or
 * where a JVM flag permits it, is the only use of {@code sun.misc.Unsafe} in the project.
 *
 * <p>Depends on {@code exceptions} only.
 */
package io.railflux.buffer;
