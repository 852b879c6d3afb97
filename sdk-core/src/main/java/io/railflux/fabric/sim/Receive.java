package io.railflux.fabric.sim;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.sim.memory.SimBuffer;

/** A posted receive. */
record Receive(long id, SimBuffer memory, int offset, int lengthBytes) {

  static Receive of(Fabric fabric, long id, LocalMemory memory, int offset, int lengthBytes) {
    boolean own = memory instanceof SimBuffer buffer && buffer.belongsTo(fabric);
    return new Receive(id, own ? (SimBuffer) memory : null, offset, lengthBytes);
  }

  /** Checked at use, as with verbs. A receive without room needs no memory. */
  boolean usable() {
    return lengthBytes == 0 || (memory != null && memory.covers(offset, lengthBytes));
  }
}
