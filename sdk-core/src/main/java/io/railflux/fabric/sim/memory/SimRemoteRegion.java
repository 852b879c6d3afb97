package io.railflux.fabric.sim.memory;

import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** A key as the peer announced it. */
public record SimRemoteRegion(Endpoint endpoint, long key, int lengthBytes, ByteBuffer mapped)
    implements RemoteRegion {

  public boolean covers(int offset, int length) {
    return offset >= 0 && length >= 0 && (long) offset + length <= lengthBytes;
  }
}
