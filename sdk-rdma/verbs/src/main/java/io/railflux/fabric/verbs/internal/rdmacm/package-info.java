/**
 * Raw bindings of librdmacm: structures and calls of its C headers.
 *
 * <p>Depends on {@code fabric.verbs.internal}.
 */
package io.railflux.fabric.verbs.internal.rdmacm;
