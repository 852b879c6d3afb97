/**
 * RDMA network cards through the DiSNI library, on Java 17 and later.
 *
 * <p>A pilot for reliable connections; what DiSNI cannot do is declared absent.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.disni;
