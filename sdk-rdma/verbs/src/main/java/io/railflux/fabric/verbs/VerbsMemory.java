package io.railflux.fabric.verbs;

import java.nio.ByteBuffer;

/** Memory of the caller for local requests. */
final class VerbsMemory extends VerbsBuffer {

  private final VerbsFabric fabric;

  VerbsMemory(VerbsFabric fabric, ByteBuffer memory) {
    super(memory);
    this.fabric = fabric;
  }

  @Override
  public ByteBuffer memory() {
    return holders();
  }

  @Override
  public void close() {
    if (deregister()) {
      fabric.forget(this);
    }
  }
}
