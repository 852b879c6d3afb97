package io.railflux.fabric.verbs;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** Region of the peer, whose device verifies the key on use. */
record VerbsRemoteRegion(long key, int lengthBytes) implements RemoteRegion {

  long address(int offset) {
    return RegionKey.address(key) + offset;
  }

  int rkey() {
    return RegionKey.rkey(key);
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }
}
