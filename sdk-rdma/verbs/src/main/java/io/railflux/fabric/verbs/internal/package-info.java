/**
 * Raw bindings of libibverbs and libc: structures and calls of the C headers, and the code that all bindings share.
 *
 * <p>Depends on {@code java.lang.foreign} only.
 */
package io.railflux.fabric.verbs.internal;
