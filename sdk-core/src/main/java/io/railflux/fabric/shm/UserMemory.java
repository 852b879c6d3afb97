package io.railflux.fabric.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A buffer of the user's, registered. Copies need no preparation, so this is only bookkeeping. */
final class UserMemory implements ShmLocalMemory {

  private final ByteBuffer memory;
  private ByteBuffer view;

  UserMemory(ByteBuffer memory) {
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
