package io.railflux.fabric.shm.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A registered buffer of the user. Copies need no preparation. */
public final class UserMemory implements ShmLocalMemory {

  private final ByteBuffer memory;
  private ByteBuffer view;

  public UserMemory(ByteBuffer memory) {
    this.memory = memory;
    this.view = memory.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public int lengthBytes() {
    return memory.capacity();
  }

  @Override
  public ByteBuffer view() {
    return view;
  }

  @Override
  public void close() {
    view = null;
  }
}
