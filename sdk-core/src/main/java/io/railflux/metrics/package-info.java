/**
 * The meters: one documented enum, bound to Micrometer where that is present.
 *
 * <p>Credits, rails, paths, retransmissions, registrations and channel decisions. Micrometer is
 * optional; nothing outside this package needs it.
 *
 * <p>Depends on no other package.
 */
package io.railflux.metrics;
