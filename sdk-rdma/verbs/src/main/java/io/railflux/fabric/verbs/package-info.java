/**
 * RDMA network cards directly through libibverbs, on Java 22 and later.
 *
 * <p>No native build: the library is bound at run time, and a host without it receives an explanation.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the engine or another
 * fabric.
 */
package io.railflux.fabric.verbs;
