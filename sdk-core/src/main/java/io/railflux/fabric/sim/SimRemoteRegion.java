package io.railflux.fabric.sim;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** A key as the peer announced it. */
record SimRemoteRegion(SimEndpoint endpoint, long key, int lengthBytes, ByteBuffer mapped)
    implements RemoteRegion {

  boolean covers(int offset, int length) {
    return offset >= 0 && length >= 0 && (long) offset + length <= lengthBytes;
  }
}
