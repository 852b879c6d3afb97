package io.railflux.lab;

import io.railflux.buffer.MemorySource;
import java.nio.ByteBuffer;

/** The direct memory of one node. It may be exhausted for a limited time. */
final class SimulatedMemory implements MemorySource {

  /** The available memory. */
  enum Supply {
    PLENTY,
    /** All memory is garbage. An allocation succeeds after the collector ran. */
    GARBAGE,
    NONE
  }

  private Supply supply = Supply.PLENTY;

  void supply(Supply newSupply) {
    supply = newSupply;
  }

  @Override
  public boolean hasRoom(long bytes) {
    return supply == Supply.PLENTY;
  }

  @Override
  public ByteBuffer allocate(int bytes) {
    if (supply == Supply.NONE) {
      throw new OutOfMemoryError("the simulated memory is exhausted");
    }
    return UNLIMITED.allocate(bytes);
  }

  @Override
  public String usage() {
    return "simulated memory is " + supply;
  }
}
