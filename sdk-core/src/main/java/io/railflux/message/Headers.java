package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Small named values beside a payload, in the order of their addition. Immutable; usable on any thread.
 *
 * <p>All headers take at most {@value #MAX_ENCODED_BYTES} bytes on the wire: one byte, and for each header 4 bytes,
 * its name and its value. Names have 1 to 255 bytes of UTF-8.
 */
public final class Headers {

  /** Largest value of {@link #encodedBytes()}, in bytes. */
  public static final int MAX_ENCODED_BYTES = 1024;

  // As in the wire's METADATA: the number of entries; for each its kind and two lengths.
  private static final int COUNT_BYTES = 1;
  private static final int ENTRY_FIXED_BYTES = 4;
  private static final int MAX_NAME_BYTES = 255;
  private static final Headers EMPTY = new Headers(new String[0], new byte[0][]);

  private final String[] names;
  private final byte[][] values;
  private final int encodedBytes;

  private Headers(String[] names, byte[][] values) {
    this.names = names;
    this.values = values;
    this.encodedBytes = measure(names, values);
  }

  /**
   * Returns headers without entries.
   *
   * @return the empty headers
   */
  public static Headers empty() {
    return EMPTY;
  }

  /**
   * Adds a header with a text value, or replaces the value of that name.
   *
   * @param name name of the header
   * @param value text, sent as UTF-8
   * @return a modified copy
   * @throws IllegalArgumentException if the name or all headers together are too large
   */
  public Headers with(String name, String value) {
    return put(name, Objects.requireNonNull(value, "value").getBytes(UTF_8));
  }

  /**
   * Adds a header with a binary value, or replaces the value of that name.
   *
   * @param name name of the header
   * @param value bytes, which are copied
   * @return a modified copy
   * @throws IllegalArgumentException if the name or all headers together are too large
   */
  public Headers with(String name, byte[] value) {
    return put(name, Objects.requireNonNull(value, "value").clone());
  }

  /**
   * Returns the value of a header as text.
   *
   * @param name name of the header
   * @return the value, decoded as UTF-8; empty without such a header
   */
  public Optional<String> text(String name) {
    int index = indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(new String(values[index], UTF_8));
  }

  /**
   * Returns the value of a header.
   *
   * @param name name of the header
   * @return a copy of the value; empty without such a header
   */
  public Optional<byte[]> get(String name) {
    int index = indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(values[index].clone());
  }

  /**
   * Returns the names of all headers.
   *
   * @return the names in the order of their addition
   */
  public List<String> names() {
    return List.of(names);
  }

  /**
   * Returns the number of headers.
   *
   * @return the number, at least 0
   */
  public int size() {
    return names.length;
  }

  /**
   * Returns whether there are no headers.
   *
   * @return true without headers
   */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /**
   * Returns the size of the headers on the wire.
   *
   * @return size in bytes; 0 without headers
   */
  public int encodedBytes() {
    return encodedBytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers that
        && Arrays.equals(names, that.names)
        && Arrays.deepEquals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(names) + Arrays.deepHashCode(values);
  }

  /** Names and sizes. Values are omitted, because they may be secrets. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Headers[");
    for (int i = 0; i < names.length; i++) {
      text.append(i == 0 ? "" : ", ").append(names[i]).append('=').append(values[i].length);
      text.append(" B");
    }
    return text.append(']').toString();
  }

  private Headers put(String name, byte[] value) {
    int found = indexOf(name);
    if (found < 0) {
      requireUnicode(name);
    }
    int index = found < 0 ? names.length : found;
    int size = Math.max(names.length, index + 1);
    String[] newNames = Arrays.copyOf(names, size);
    byte[][] newValues = Arrays.copyOf(values, size);
    newNames[index] = name;
    newValues[index] = value;
    return new Headers(newNames, newValues);
  }

  /** An unpaired surrogate would decode to another name. */
  private static void requireUnicode(String name) {
    for (int i = 0; i < name.length(); i++) {
      int point = name.codePointAt(i);
      if (Character.isBmpCodePoint(point) && Character.isSurrogate((char) point)) {
        throw new IllegalArgumentException("header name has a surrogate without its partner");
      }
      i += Character.charCount(point) - 1;
    }
  }

  private int indexOf(String name) {
    Objects.requireNonNull(name, "name");
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static int measure(String[] names, byte[][] values) {
    long total = names.length == 0 ? 0 : COUNT_BYTES;
    for (int i = 0; i < names.length; i++) {
      int nameBytes = names[i].getBytes(UTF_8).length;
      if (nameBytes < 1 || nameBytes > MAX_NAME_BYTES) {
        throw new IllegalArgumentException(
            "header name has " + nameBytes + " bytes, allowed are 1 to " + MAX_NAME_BYTES);
      }
      total += ENTRY_FIXED_BYTES + nameBytes + values[i].length;
    }
    if (total > MAX_ENCODED_BYTES) {
      throw new IllegalArgumentException("headers would take " + total + " bytes, allowed are "
          + MAX_ENCODED_BYTES + "; send large values in the payload");
    }
    return (int) total;
  }
}
