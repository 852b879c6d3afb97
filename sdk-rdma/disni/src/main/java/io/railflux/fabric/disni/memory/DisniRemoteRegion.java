package io.railflux.fabric.disni.memory;

import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Region of the peer, whose card verifies the key on use. */
public final class DisniRemoteRegion implements RemoteRegion {

  private final Endpoint endpoint;
  private final long key;
  private final int lengthBytes;

  public DisniRemoteRegion(Endpoint endpoint, long key, int lengthBytes) {
    this.endpoint = endpoint;
    this.key = key;
    this.lengthBytes = lengthBytes;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public boolean covers(int offset, int length) {
    return offset >= 0 && length >= 0 && offset <= lengthBytes - length;
  }

  public long address(int offset) {
    return DisniRegionKey.address(key) + offset;
  }

  public int remoteKey() {
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
