/**
 * Raw bindings of libibverbs and librdmacm: structures and calls of the C headers.
 *
 * <p>Depends on {@code java.lang.foreign} only.
 */
package io.railflux.fabric.verbs.internal;
