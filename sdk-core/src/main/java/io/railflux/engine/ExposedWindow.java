package io.railflux.engine;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;

/** Memory of the fabric's own for large messages: less of it where that is all there is. */
final class ExposedWindow {

  private ExposedWindow() {}

  /**
   * A full {@code /dev/shm} slows large messages down and fails none.
   *
   * @return null when not even {@code leastBytes} can be had, or the endpoint just failed
   */
  static ExposedRegion expose(Endpoint endpoint, int mostBytes, int leastBytes, Access access) {
    for (int bytes = mostBytes; bytes >= leastBytes; bytes /= 2) {
      try {
        return endpoint.expose(bytes, access);
      } catch (FabricUnavailableException e) {
        // Half of it may fit.
      } catch (IllegalStateException e) {
        return null;
      }
    }
    return null;
  }
}
