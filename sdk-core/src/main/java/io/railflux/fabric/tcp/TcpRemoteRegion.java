package io.railflux.fabric.tcp;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Region that the peer announced; its first use verifies it. */
record TcpRemoteRegion(TcpEndpoint owner, long key, int lengthBytes) implements RemoteRegion {

  boolean covers(int offset, int length) {
    return offset >= 0 && length >= 0 && offset <= lengthBytes - length;
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }
}
