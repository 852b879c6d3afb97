/**
 * Memory outside the heap with an explicit owner: a budgeted pool that tells who forgot to release,
 * and files mapped for sharing between processes.
 *
 * <p>A view into a ring exists only while it is decoded; whatever is retained is copied into a pool
 * from here. Unmapping, on Java 17 or where the JVM was told to allow it, is the only use of
 * {@code sun.misc.Unsafe} in the project.
 *
 * <p>Depends on {@code exceptions} only.
 */
package io.railflux.buffer;
