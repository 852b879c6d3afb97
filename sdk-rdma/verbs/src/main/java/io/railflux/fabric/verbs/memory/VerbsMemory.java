package io.railflux.fabric.verbs.memory;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Memory of the caller for local requests. */
public final class VerbsMemory extends VerbsBuffer {

  private final Consumer<VerbsMemory> onClose;

  public VerbsMemory(ByteBuffer memory, Consumer<VerbsMemory> onClose) {
    super(memory);
    this.onClose = onClose;
  }

  @Override
  public ByteBuffer memory() {
    return holders();
  }

  @Override
  public void close() {
    if (deregister()) {
      onClose.accept(this);
    }
  }
}
