/**
 * What the fabrics share: life cycle, table and poll rotation of their endpoints; and whether Netty fits, for the engine
 * too.
 *
 * <p>Depends on {@code fabric}. Exported to the RDMA modules only.
 */
package io.railflux.fabric.base;
