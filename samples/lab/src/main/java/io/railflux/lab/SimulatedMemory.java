package io.railflux.lab;

import io.railflux.buffer.MemorySource;
import java.nio.ByteBuffer;

/** Direct memory of one node, of which there may be none for a while. */
final class SimulatedMemory implements MemorySource {

  /** How much there is. */
  enum Supply {
    PLENTY,
    /** All of it is garbage: who waits for the collector gets some. */
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
