package io.railflux.fabric.disni;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Region of the peer, whose card verifies the key on use. */
final class DisniRemoteRegion implements RemoteRegion {

  private final DisniEndpoint endpoint;
  private final long key;
  private final int lengthBytes;

  DisniRemoteRegion(DisniEndpoint endpoint, long key, int lengthBytes) {
    this.endpoint = endpoint;
    this.key = key;
    this.lengthBytes = lengthBytes;
  }

  DisniEndpoint endpoint() {
    return endpoint;
  }

  boolean covers(int offset, int length) {
    return offset >= 0 && length >= 0 && offset <= lengthBytes - length;
  }

  long address(int offset) {
    return DisniRegionKey.address(key) + offset;
  }

  int remoteKey() {
    return DisniRegionKey.remoteKey(key);
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public int lengthBytes() {
    return lengthBytes;
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }
}
