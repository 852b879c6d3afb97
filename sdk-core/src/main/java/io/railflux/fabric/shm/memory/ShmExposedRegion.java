package io.railflux.fabric.shm.memory;

import io.railflux.buffer.MappedMemory;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owner's side of a region. */
public final class ShmExposedRegion implements ExposedRegion, ShmLocalMemory {

  private static final Logger LOG = LoggerFactory.getLogger(ShmExposedRegion.class);

  private final MappedMemory file;
  private final long key;
  private final int lengthBytes;
  private final ByteBuffer memory;
  private ByteBuffer view;

  public ShmExposedRegion(MappedMemory file, long key, int lengthBytes, Access access) {
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
   * Lets later accesses of the peer fail. An access that has passed its check may still land. After the revocation
   * the bytes must therefore not be reused, only read or released.
   */
  public void revoke() {
    if (view != null) {
      // Release: a peer that finds the key revoked also finds the reason in the link.
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
