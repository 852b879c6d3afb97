package io.railflux.lab;

import io.railflux.fabric.sim.events.SimRandom;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One message. Flow and number determine every byte, so that a lost, duplicated, mixed or damaged byte is detected.
 * @param key of the flow
 */
record Payload(long key, long number, int size) {

  void write(ByteBuffer into) {
    ByteBuffer out = into.order(ByteOrder.LITTLE_ENDIAN);
    int left = size;
    for (int i = 0; left >= Long.BYTES; i++, left -= Long.BYTES) {
      out.putLong(word(key, number, i));
    }
    long last = word(key, number, size / Long.BYTES);
    for (; left > 0; left--, last >>>= Byte.SIZE) {
      out.put((byte) last);
    }
  }

  private static long word(long key, long number, int index) {
    return index == 0
        ? number ^ SimRandom.mix(key)
        : SimRandom.mix(SimRandom.mix(key + number) + index);
  }

  /** Returns the number that a body carries. A body too short for a number returns {@code expected}. */
  static long numberOf(ByteBuffer body, long key, long expected) {
    return body.remaining() < Long.BYTES
        ? expected
        : body.getLong(body.position()) ^ SimRandom.mix(key);
  }

  /** Returns whether the body equals this message. */
  boolean equalTo(ByteBuffer body) {
    if (body.remaining() != size) {
      return false;
    }
    int at = body.position();
    int left = size;
    int i = 0;
    for (; left >= Long.BYTES; i++, left -= Long.BYTES, at += Long.BYTES) {
      if (body.getLong(at) != word(key, number, i)) {
        return false;
      }
    }
    long last = word(key, number, i);
    for (; left > 0; left--, at++, last >>>= Byte.SIZE) {
      if (body.get(at) != (byte) last) {
        return false;
      }
    }
    return true;
  }
}
