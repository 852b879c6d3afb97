package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Region of the peer, whose device verifies the key on use. */
public record VerbsRemoteRegion(long key, int lengthBytes) implements RemoteRegion {

  public long address(int offset) {
    return RegionKey.address(key) + offset;
  }

  public int rkey() {
    return RegionKey.rkey(key);
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }
}
