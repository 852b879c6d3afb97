package io.railflux.samples.cli.demo;

import java.nio.ByteBuffer;

/**
 * One figure of this host.
 *
 * @param unit which one of several: core, disk, interface, process
 * @param value per cent for CPU and memory, bytes for the rest
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
