/**
 * The raw bindings of libibverbs and librdmacm.
 *
 * <p>Structures and calls as the C headers have them, and nothing else.
 *
 * <p>Depends on {@code java.lang.foreign} only.
 */
package io.railflux.fabric.verbs.internal;
