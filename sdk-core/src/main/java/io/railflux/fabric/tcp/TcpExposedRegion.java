package io.railflux.fabric.tcp;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.nio.ByteBuffer;

/** Memory that the peer of one endpoint may name by its key. */
final class TcpExposedRegion extends TcpLocalMemory implements ExposedRegion {

  private final long key;
  private final Access access;

  TcpExposedRegion(ByteBuffer memory, long key, Access access) {
    super(memory);
    this.key = key;
    this.access = access;
  }

  @Override
  public long key() {
    return key;
  }

  Access access() {
    return access;
  }
}
