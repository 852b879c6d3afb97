package io.railflux.fabric.verbs;

import io.railflux.fabric.RemoteRegion;
import java.nio.ByteBuffer;

/** What a key says of the peer's memory; whether it is true, its device decides when it is used. */
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
