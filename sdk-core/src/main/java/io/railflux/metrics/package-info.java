/**
 * Meters, rail status and rail events. One documented enum lists the meters, which are bound to Micrometer where it
 * is present.
 *
 * <p>Micrometer is optional; no other package uses it.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.railflux.metrics;

import org.jspecify.annotations.NullMarked;
