package io.railflux.fabric;

import io.railflux.exceptions.FabricUnavailableException;

/**
 * One kind of network that may or may not work on this machine.
 *
 * <p>Stateless and callable from any thread; {@code doctor} asks every provider for its {@link
 * #availability()} without opening anything.
 */
public interface FabricProvider {

  /** Scheme of the addresses this fabric serves, such as {@code shm}; lower case, unique. */
  String name();

  /** Whether {@link #open} would succeed here and now, and if not, why and how to mend it. */
  Availability availability();

  /**
   * Opens the fabric for one engine. The returned fabric and everything made from it belong to that
   * engine's thread.
   *
   * @throws FabricUnavailableException with reason and remedy; nothing stays allocated
   */
  Fabric open(FabricContext context);
}
