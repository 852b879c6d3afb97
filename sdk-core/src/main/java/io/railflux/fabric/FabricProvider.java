package io.railflux.fabric;

import io.railflux.exceptions.FabricUnavailableException;

/** A kind of network, which may be unavailable on this host. Stateless; any thread may call any method. */
public interface FabricProvider {

  /**
   * Returns the scheme of the addresses of this fabric.
   *
   * @return unique lower-case name, such as {@code shm}
   */
  String name();

  /**
   * Returns whether {@link #open} would succeed now. Opens nothing.
   *
   * @return the result, with reason and remedy
   */
  Availability availability();

  /**
   * Opens the fabric for one engine. The fabric and all its objects belong to the thread of that engine.
   *
   * @param context services of the engine
   * @return the fabric, owned by the caller
   * @throws FabricUnavailableException if the fabric is unavailable, with reason and remedy; no resource stays
   *     allocated
   */
  Fabric open(FabricContext context);
}
