package io.railflux.fabric.tcp;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;
import java.nio.ByteBuffer;

/** Memory that the peer of one endpoint accesses by its key. */
final class TcpExposedRegion extends TcpLocalMemory implements ExposedRegion {

  private final TcpRegions owner;
  private final long key;
  private final Access access;

  /** @param owner finds the region by its key until it is closed */
  TcpExposedRegion(TcpRegions owner, ByteBuffer memory, long key, Access access) {
    super(memory);
    this.owner = owner;
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

  @Override
  public void close() {
    super.close();
    owner.closed(this);
  }
}
