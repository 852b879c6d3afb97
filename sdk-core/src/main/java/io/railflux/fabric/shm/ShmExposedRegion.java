package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The owner's side of a region. */
final class ShmExposedRegion implements ExposedRegion, ShmLocalMemory {

  private static final Logger LOG = LoggerFactory.getLogger(ShmExposedRegion.class);

  private final MappedMemory file;
  private final long key;
  private final int lengthBytes;
  private final ByteBuffer memory;
  private ByteBuffer view;

  ShmExposedRegion(MappedMemory file, long key, int lengthBytes, Access access) {
    this.file = file;
    this.key = key;
    this.lengthBytes = lengthBytes;
    ByteBuffer whole = file.memory();
    whole.putLong(RegionLayout.MAGIC_OFFSET, RegionLayout.MAGIC);
    whole.putLong(RegionLayout.KEY_OFFSET, key);
    whole.putInt(RegionLayout.LENGTH_OFFSET, lengthBytes);
    whole.putInt(RegionLayout.ACCESS_OFFSET, bits(access));
    memory = whole.slice(RegionLayout.DATA_OFFSET, lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
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
  public ByteBuffer memory() {
    if (view == null) {
      throw new IllegalStateException("region " + Long.toHexString(key) + " is closed");
    }
    return memory;
  }

  @Override
  public ByteBuffer view() {
    return view;
  }

  /**
   * Makes the peer's accesses fail from now on. One that has passed its check already may still
   * land; therefore the bytes must not be given a new meaning after revocation, only be read or
   * released.
   */
  void revoke() {
    if (view != null) {
      // Release, so that whoever finds the key revoked also finds why in the link.
      Words.INTS.setRelease(file.memory(), RegionLayout.REVOKED_OFFSET, 1);
    }
  }

  @Override
  public void close() {
    if (view == null) {
      return;
    }
    revoke();
    view = null;
    file.close();
    try {
      file.unlink();
    } catch (IOException e) {
      LOG.warn("cannot remove shared memory {}: {}", file.path(), e.getMessage());
    }
  }

  private static int bits(Access access) {
    return (access.allowsRead() ? RegionLayout.READ_BIT : 0)
        | (access.allowsWrite() ? RegionLayout.WRITE_BIT : 0);
  }
}
