package io.railflux.fabric.tcp;

import io.railflux.fabric.Access;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Regions that one endpoint exposes to its peer. */
final class TcpRegions {

  private final List<TcpExposedRegion> exposed = new ArrayList<>();
  private TcpExposedRegion recent;

  TcpExposedRegion expose(ByteBuffer memory, long key, Access access) {
    TcpExposedRegion region = new TcpExposedRegion(this, memory, key, access);
    exposed.add(region);
    return region;
  }

  /** Returns the open region with the key, or null. */
  TcpExposedRegion find(long key) {
    // There are few regions, and the peer writes many times into one of them.
    if (recent == null || recent.key() != key || recent.isClosed()) {
      recent = null;
      for (int i = 0; i < exposed.size() && recent == null; i++) {
        TcpExposedRegion region = exposed.get(i);
        recent = region.key() == key && !region.isClosed() ? region : null;
      }
    }
    return recent;
  }

  /** Revokes the key and drops the reference to the memory. */
  void closed(TcpExposedRegion region) {
    exposed.remove(region);
    if (recent == region) {
      recent = null;
    }
  }

  /** Revokes all keys; this side can still read the memory. */
  void revoke() {
    exposed.clear();
    recent = null;
  }
}
