package io.railflux.fabric.tcp;

import io.railflux.fabric.Access;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What one endpoint exposes to its peer. */
final class TcpRegions {

  private final List<TcpExposedRegion> exposed = new ArrayList<>();
  private TcpExposedRegion recent;

  TcpExposedRegion expose(ByteBuffer memory, long key, Access access) {
    exposed.removeIf(TcpLocalMemory::isClosed);
    TcpExposedRegion region = new TcpExposedRegion(memory, key, access);
    exposed.add(region);
    return region;
  }

  /** The open region of that key, or null. */
  TcpExposedRegion find(long key) {
    // Few, and the peer writes into one of them many times.
    if (recent == null || recent.key() != key || recent.isClosed()) {
      recent = null;
      for (int i = 0; i < exposed.size() && recent == null; i++) {
        TcpExposedRegion region = exposed.get(i);
        recent = region.key() == key && !region.isClosed() ? region : null;
      }
    }
    return recent;
  }

  /** From now on no key means anything; the memory can still be read here. */
  void revoke() {
    exposed.clear();
    recent = null;
  }
}
