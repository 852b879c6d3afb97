package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.shm.memory.RegionLayout;
import io.railflux.fabric.shm.memory.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Region of the peer, mapped here. */
final class ShmRemoteRegion implements RemoteRegion {

  private final ShmRegions owner;
  private final MappedMemory file;
  private final long key;
  private final int lengthBytes;
  private final int access;
  private final ByteBuffer view;
  private final ByteBuffer mapped;

  /**
   * @throws RemoteAccessException if the file does not describe the announced region; the file then stays the
   *     property of the caller
   */
  ShmRemoteRegion(ShmRegions owner, MappedMemory file, long key, int lengthBytes)
      throws RemoteAccessException {
    ByteBuffer whole = file.memory();
    if (whole.getLong(RegionLayout.MAGIC_OFFSET) != RegionLayout.MAGIC
        || whole.getLong(RegionLayout.KEY_OFFSET) != key) {
      throw new RemoteAccessException(file.path() + " is not the region of this key");
    }
    int length = whole.getInt(RegionLayout.LENGTH_OFFSET);
    if (length != lengthBytes) {
      throw new RemoteAccessException("the region has " + length + " bytes, not " + lengthBytes);
    }
    this.owner = owner;
    this.file = file;
    this.key = key;
    this.lengthBytes = lengthBytes;
    this.access = whole.getInt(RegionLayout.ACCESS_OFFSET);
    this.view = data(whole);
    this.mapped = writable() ? data(whole) : littleEndian(view.asReadOnlyBuffer());
  }

  private ShmRemoteRegion(ShmRemoteRegion other) {
    ByteBuffer whole = other.file.memory();
    this.owner = other.owner;
    this.file = other.file;
    this.key = other.key;
    this.lengthBytes = other.lengthBytes;
    this.access = other.access;
    this.view = data(whole);
    this.mapped = writable() ? data(whole) : littleEndian(view.asReadOnlyBuffer());
  }

  /** Returns the same memory for another user, who closes it separately. */
  ShmRemoteRegion again() {
    return new ShmRemoteRegion(this);
  }

  boolean sharesMemory(ShmRemoteRegion other) {
    return file == other.file;
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
    return mapped;
  }

  /** A key is valid only through the endpoint that attached it. */
  boolean belongsTo(ShmRegions regions) {
    return owner == regions;
  }

  /** Returns the bytes with limits that only the fabric moves, writable regardless of the permissions. */
  ByteBuffer view() {
    return view;
  }

  boolean readable() {
    return (access & RegionLayout.READ_BIT) != 0;
  }

  boolean writable() {
    return (access & RegionLayout.WRITE_BIT) != 0;
  }

  /** Acquire: no access to the region precedes this check. */
  boolean revoked() {
    return (int) Words.INTS.getAcquire(file.memory(), RegionLayout.REVOKED_OFFSET) != 0;
  }

  @Override
  public void close() {
    owner.detach(this);
  }

  /**
   * Unmaps the region. Using {@link #mapped()} afterwards crashes the process on Java 17, or where {@code Unsafe} is
   * permitted.
   */
  void release() {
    file.close();
  }

  private ByteBuffer data(ByteBuffer whole) {
    return littleEndian(whole.slice(RegionLayout.DATA_OFFSET, lengthBytes));
  }

  private static ByteBuffer littleEndian(ByteBuffer buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }
}
