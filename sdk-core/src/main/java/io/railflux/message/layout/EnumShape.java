package io.railflux.message.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Enum constants by name, as length and UTF-8, so that both sides may have different constants and orders. */
final class EnumShape<E extends Enum<E>> extends ValueShape<E> {

  /** Longest part of an unknown name in an error. */
  private static final int MAX_SHOWN_BYTES = 64;

  private final Class<E> type;
  private final String where;
  private final E[] constants;
  private final byte[][] names;
  /**
   * Indexes of constants by the hash of their names, -1 for empty places; the size is a power of two, at most half
   * occupied.
   */
  private final int[] table;

  EnumShape(Class<E> type, String where) {
    super("enum", 1);
    this.type = type;
    this.where = where;
    this.constants = type.getEnumConstants();
    this.names = new byte[constants.length][];
    this.table = new int[Integer.highestOneBit(constants.length + 1) * 4];
    Arrays.fill(table, -1);
    for (int i = 0; i < constants.length; i++) {
      names[i] = constants[i].name().getBytes(UTF_8);
      int at = hash(ByteBuffer.wrap(names[i]), 0, names[i].length) & (table.length - 1);
      while (table[at] >= 0) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = i;
    }
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // The ordinal does not cross the wire.
  long sizeBytes(E value, int depth) {
    int bytes = names[value.ordinal()].length;
    return Varint.bytes(bytes) + (long) bytes;
  }

  @Override
  @SuppressWarnings("EnumOrdinal")
  void write(ByteBuffer slot, int depth, E value) {
    byte[] name = names[value.ordinal()];
    Varint.put(slot, name.length);
    slot.put(name);
  }

  @Override
  E read(ByteBuffer slot, int depth) {
    int length = readCount(slot, 1, where);
    int start = slot.position();
    slot.position(start + length);
    int at = hash(slot, start, length) & (table.length - 1);
    while (table[at] >= 0) {
      byte[] name = names[table[at]];
      if (isAt(slot, start, length, name)) {
        return constants[table[at]];
      }
      at = (at + 1) & (table.length - 1);
    }
    throw unknown(slot, start, length);
  }

  private static int hash(ByteBuffer slot, int start, int length) {
    int hash = length;
    // The table is small: hashing more bytes would not distinguish names better than the
    // comparison.
    for (int i = Math.max(0, length - MAX_SHOWN_BYTES); i < length; i++) {
      hash = 31 * hash + slot.get(start + i);
    }
    return hash ^ (hash >>> 16);
  }

  private static boolean isAt(ByteBuffer slot, int start, int length, byte[] name) {
    if (length != name.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (slot.get(start + i) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private IllegalArgumentException unknown(ByteBuffer slot, int start, int length) {
    byte[] shown = new byte[Math.min(length, MAX_SHOWN_BYTES)];
    slot.get(start, shown);
    String name = new String(shown, UTF_8).replaceAll("[^\\p{L}\\p{N}_$]", "?");
    return new IllegalArgumentException(where + ": enum " + type.getName() + " has no constant '"
        + name + "'; add it on this side before the peer sends it");
  }
}
