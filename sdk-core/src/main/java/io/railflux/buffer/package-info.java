/**
 * Memory: regions, slices with one explicit owner, pools, the registration cache.
 *
 * <p>A view into a ring exists only while it is decoded. Whatever is retained is copied into a
 * budgeted pool, and the leak detector names the place that lost it. Unmapping on Java 17 is the
 * only use of {@code sun.misc.Unsafe} in the project and lives here.
 *
 * <p>Depends on {@code exceptions} only.
 */
package io.railflux.buffer;
