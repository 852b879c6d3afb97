package io.railflux.fabric.sim.memory;

import io.railflux.fabric.Fabric;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A registered buffer of the caller. */
public final class SimMemory extends SimBuffer {

  private final ByteBuffer memory;
  private final Consumer<SimMemory> onClose;

  public SimMemory(Fabric fabric, ByteBuffer memory, Consumer<SimMemory> onClose) {
    super(fabric, memory);
    this.memory = memory;
    this.onClose = onClose;
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public void close() {
    markClosed();
    onClose.accept(this);
  }
}
