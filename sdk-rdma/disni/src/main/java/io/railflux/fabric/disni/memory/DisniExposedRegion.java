package io.railflux.fabric.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Memory that the peer of one endpoint may access. Engine thread only. */
public final class DisniExposedRegion extends RegisteredMemory implements ExposedRegion {

  private final MemoryRegion region;
  private final long key;

  private DisniExposedRegion(ByteBuffer memory, MemoryRegion region) {
    super(memory);
    this.region = add(region);
    this.key = DisniRegionKey.of(region.address(), region.remoteKey());
  }

  public static DisniExposedRegion open(
      DisniProtectionDomain domain, int lengthBytes, Access access) throws IOException {
    ByteBuffer memory = allocate(lengthBytes, DisniRegionKey.ALIGNMENT);
    return new DisniExposedRegion(memory, domain.register(memory, rights(access)));
  }

  private static int rights(Access access) {
    return IbvMr.IBV_ACCESS_LOCAL_WRITE
        | (access.allowsRead() ? IbvMr.IBV_ACCESS_REMOTE_READ : 0)
        | (access.allowsWrite() ? IbvMr.IBV_ACCESS_REMOTE_WRITE : 0);
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public ByteBuffer memory() {
    if (!isOpen()) {
      throw new IllegalStateException("the region was closed");
    }
    return super.memory();
  }

  /** Later accesses of the peer fail; this side can still read the memory. */
  public void revoke() {
    region.close();
  }
}
