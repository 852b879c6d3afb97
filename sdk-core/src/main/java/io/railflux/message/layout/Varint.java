package io.railflux.message.layout;

import java.nio.ByteBuffer;

/** Lengths and counts from 0 to {@link Integer#MAX_VALUE} in one to five bytes of seven bits, the lowest first. */
public final class Varint {

  private static final int MORE = 0x80;
  private static final int BITS = 7;
  private static final int LAST_SHIFT = 28;

  private Varint() {}

  static int bytes(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + BITS - 1) / BITS;
  }

  /** Writes the value at the position. */
  public static void put(ByteBuffer slot, int value) {
    int rest = value;
    while (rest >= MORE) {
      slot.put((byte) (rest | MORE));
      rest >>>= BITS;
    }
    slot.put((byte) rest);
  }

  /** @throws IllegalArgumentException if {@link #put} does not write such bytes */
  static int get(ByteBuffer slot) {
    int value = 0;
    for (int shift = 0; shift <= LAST_SHIFT; shift += BITS) {
      byte next = slot.get();
      value |= (next & (MORE - 1)) << shift;
      if (next >= 0) {
        if (value < 0 || (shift == LAST_SHIFT && next > 7) || (next == 0 && shift > 0)) {
          break;
        }
        return value;
      }
    }
    throw new IllegalArgumentException("a length or count is malformed");
  }
}
