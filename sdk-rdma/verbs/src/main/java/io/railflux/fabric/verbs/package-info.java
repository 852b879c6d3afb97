/**
 * RDMA network cards straight through libibverbs, on Java 22 and later.
 *
 * <p>No native build: the library is bound at run time, and a host without it is told so in clear
 * words.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.verbs;
