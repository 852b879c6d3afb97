package io.railflux.samples.cli.demo;

import java.nio.ByteBuffer;

/**
 * One reading of this host.
 * @param unit index of the core, disk, interface or process
 * @param value percent for CPU and memory, bytes for all others
 */
record Reading(Event.Kind kind, int unit, double value) {

  private static final int BYTES = Integer.BYTES + Double.BYTES;

  byte[] encoded() {
    return ByteBuffer.allocate(BYTES).putInt(unit).putDouble(value).array();
  }

  static double value(Event event) {
    return ByteBuffer.wrap(event.payload()).getDouble(Integer.BYTES);
  }
}
