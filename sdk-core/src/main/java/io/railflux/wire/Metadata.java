package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Headers and context entries of a message, carried in the METADATA extension.
 *
 * <pre>
 *  0        then count times
 * +-------+------+------------+------------+---------------+-------+
 * | count | kind | nameLength | UTF-8 name | uint16 length | value |
 * +-------+------+------------+------------+---------------+-------+
 *           0 header  1 context     count, kind and nameLength are one byte each
 * </pre>
 *
 * <p>At most {@link #MAX_BYTES} in total. Decoding ignores entries of an unknown kind, and bytes after the last entry.
 */
public final class Metadata {
  /** Largest encoded size. */
  public static final int MAX_BYTES = 1024;

  /** Kind of a header of the user. */
  public static final int HEADER = 0;

  /** Kind of an entry of the Reactor context. */
  public static final int CONTEXT = 1;

  private static final int MAX_ENTRIES = 255;
  private static final int ENTRY_FIXED_BYTES = 4;

  private Metadata() {}

  /** One header or context entry; the value is copied in and out. */
  // Copied on the way in and out, compared by content.
  @SuppressWarnings("ArrayRecordComponent")
  public record Entry(int kind, String name, byte[] value) {
    /** Validates the kind, the name (at most 255 bytes of UTF-8) and the size of the value. */
    public Entry {
      Fields.requireUnsigned("kind", kind, CONTEXT);
      Strings.requireFits("name", name);
      Fields.requireUnsigned("length of metadata value '" + name + "'", value.length, MAX_BYTES);
      value = value.clone();
    }

    /** Returns a copy of the value. */
    @Override
    public byte[] value() {
      return value.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry that
          && kind == that.kind
          && name.equals(that.name)
          && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
      return 31 * Objects.hash(kind, name) + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      // Values may be secrets, such as tokens, and must not enter logs.
      return "Entry[kind=" + kind + ", name=" + name + ", " + value.length + " bytes]";
    }
  }

  /**
   * Returns the size of the encoded entries.
   *
   * @throws IllegalArgumentException if there are more than 255, or their size exceeds {@link #MAX_BYTES}
   */
  public static int encodedBytes(List<Entry> entries) {
    int bytes = 1;
    for (Entry entry : entries) {
      bytes += ENTRY_FIXED_BYTES + nameBytes(entry).length + entry.value.length;
      if (bytes > MAX_BYTES) {
        throw new IllegalArgumentException(
            "metadata exceeds " + MAX_BYTES + " bytes at entry " + entry.name);
      }
    }
    Fields.requireUnsigned("number of metadata entries", entries.size(), MAX_ENTRIES);
    return bytes;
  }

  /** Writes the entries at the position, with the checks of {@link #encodedBytes}. */
  public static void encode(List<Entry> entries, ByteBuffer target) {
    encodedBytes(entries);
    Fields.putByte(target, entries.size());
    for (Entry entry : entries) {
      byte[] name = nameBytes(entry);
      Fields.putByte(target, entry.kind);
      Fields.putByte(target, name.length);
      target.put(name);
      Fields.putShort(target, entry.value.length);
      target.put(entry.value);
    }
  }

  /** Reads the entries between position and limit; an empty range contains no entries. */
  public static List<Entry> decode(ByteBuffer source) throws MalformedFrameException {
    if (!source.hasRemaining()) {
      return List.of();
    }
    if (source.remaining() > MAX_BYTES) {
      throw new MalformedFrameException("metadata of " + source.remaining() + " bytes");
    }
    int count = Fields.unsignedByte(source);
    List<Entry> entries = new ArrayList<>(Math.min(count, source.remaining() / ENTRY_FIXED_BYTES));
    for (int i = 0; i < count; i++) {
      int kind = Fields.unsignedByte(source);
      int nameBytes = Fields.unsignedByte(source);
      String name = Strings.decodeBytes(source, nameBytes, Strings.MAX_NAME_BYTES);
      int valueBytes = Fields.unsignedShort(source);
      int valueStart = Fields.take(source, valueBytes);
      if (kind <= CONTEXT) {
        byte[] value = new byte[valueBytes];
        source.get(valueStart, value);
        entries.add(new Entry(kind, name, value));
      }
    }
    return List.copyOf(entries);
  }

  private static byte[] nameBytes(Entry entry) {
    return Strings.utf8(entry.name, Strings.MAX_NAME_BYTES);
  }
}
