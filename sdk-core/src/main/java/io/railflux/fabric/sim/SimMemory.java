package io.railflux.fabric.sim;

import java.nio.ByteBuffer;

/** A registered buffer of the caller. */
final class SimMemory extends SimBuffer {

  private final ByteBuffer memory;

  SimMemory(SimFabric fabric, ByteBuffer memory) {
    super(fabric, memory);
    this.memory = memory;
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public void close() {
    markClosed();
    fabric().deregistered(this);
  }
}
