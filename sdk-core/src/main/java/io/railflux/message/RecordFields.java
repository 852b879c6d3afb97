package io.railflux.message;

import java.nio.ByteBuffer;

/** How single components of a record are read and written. */
final class RecordFields {

  private RecordFields() {}

  static boolean readBoolean(ByteBuffer slot, int index) {
    byte value = slot.get(index);
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("a boolean is 0 or 1 on the wire, found " + value);
    }
    return value == 1;
  }

  static void writeBoolean(ByteBuffer slot, int index, boolean value) {
    slot.put(index, value ? (byte) 1 : 0);
  }
}
