package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A few small named values that travel beside a payload. Immutable, in the order they were added;
 * usable on any thread.
 *
 * <p>All of them together take at most {@value #MAX_ENCODED_BYTES} bytes on the wire: for each, 3
 * bytes and its name and its value. Names are 1 to 255 bytes of UTF-8.
 */
public final class Headers {

  /** The largest {@link #encodedBytes()}. */
  public static final int MAX_ENCODED_BYTES = 1024;

  // Of each entry: u8 length of the name, name, u16 length of the value, value.
  private static final int ENTRY_OVERHEAD_BYTES = 3;
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

  /** No headers. */
  public static Headers empty() {
    return EMPTY;
  }

  /**
   * Reads what {@link #encode} wrote, from the position of {@code source} to its limit.
   *
   * @throws IllegalArgumentException when the bytes are not headers; they may be any bytes
   */
  public static Headers decode(ByteBuffer source) {
    if (source.remaining() > MAX_ENCODED_BYTES) {
      throw new IllegalArgumentException(
          "headers take " + source.remaining() + " bytes, more than " + MAX_ENCODED_BYTES);
    }
    Headers headers = EMPTY;
    while (source.hasRemaining()) {
      String name = decodeName(take(source, unsigned(source, 1)));
      byte[] value = take(source, unsigned(source, 2));
      if (headers.indexOf(name) >= 0) {
        throw new IllegalArgumentException("header '" + name + "' occurs twice");
      }
      headers = headers.put(name, value);
    }
    return headers;
  }

  /**
   * A copy with a text value, in place of the one of that name or at the end.
   *
   * @throws IllegalArgumentException when the name or all headers together are too large
   */
  public Headers with(String name, String value) {
    return put(name, value.getBytes(UTF_8));
  }

  /**
   * A copy with a binary value, in place of the one of that name or at the end. The array is copied.
   *
   * @throws IllegalArgumentException when the name or all headers together are too large
   */
  public Headers with(String name, byte[] value) {
    return put(name, value.clone());
  }

  /** The value of that name read as UTF-8; empty when there is none. */
  public Optional<String> text(String name) {
    int index = indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(new String(values[index], UTF_8));
  }

  /** A copy of the value of that name; empty when there is none. */
  public Optional<byte[]> get(String name) {
    int index = indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(values[index].clone());
  }

  /** The names in the order they were added. */
  public List<String> names() {
    return List.of(names);
  }

  /** How many headers there are. */
  public int size() {
    return names.length;
  }

  /** True when there are no headers, which then take no bytes at all. */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /** How many bytes {@link #encode} writes. */
  public int encodedBytes() {
    return encodedBytes;
  }

  /** Writes {@link #encodedBytes()} bytes at the position of {@code target} and moves it. */
  public void encode(ByteBuffer target) {
    for (int i = 0; i < names.length; i++) {
      byte[] name = names[i].getBytes(UTF_8);
      int valueLength = values[i].length;
      target.put((byte) name.length).put(name);
      target.put((byte) valueLength).put((byte) (valueLength >>> 8)).put(values[i]);
    }
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

  /** Names and sizes; values may be secrets and are left out. */
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
    int index = found < 0 ? names.length : found;
    int size = Math.max(names.length, index + 1);
    String[] newNames = Arrays.copyOf(names, size);
    byte[][] newValues = Arrays.copyOf(values, size);
    newNames[index] = name;
    newValues[index] = value;
    return new Headers(newNames, newValues);
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
    long total = 0;
    for (int i = 0; i < names.length; i++) {
      int nameBytes = names[i].getBytes(UTF_8).length;
      if (nameBytes < 1 || nameBytes > MAX_NAME_BYTES) {
        throw new IllegalArgumentException(
            "header name has " + nameBytes + " bytes, allowed are 1 to " + MAX_NAME_BYTES);
      }
      total += ENTRY_OVERHEAD_BYTES + nameBytes + values[i].length;
    }
    if (total > MAX_ENCODED_BYTES) {
      throw new IllegalArgumentException("headers would take " + total + " bytes, allowed are "
          + MAX_ENCODED_BYTES + "; send large values in the payload");
    }
    return (int) total;
  }

  private static String decodeName(byte[] name) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("header name is not UTF-8", e);
    }
  }

  private static int unsigned(ByteBuffer source, int bytes) {
    int value = 0;
    byte[] littleEndian = take(source, bytes);
    for (int i = bytes - 1; i >= 0; i--) {
      value = value << 8 | littleEndian[i] & 0xff;
    }
    return value;
  }

  private static byte[] take(ByteBuffer source, int bytes) {
    if (source.remaining() < bytes) {
      throw new IllegalArgumentException(
          "headers end early: " + bytes + " bytes expected, " + source.remaining() + " left");
    }
    byte[] taken = new byte[bytes];
    source.get(taken);
    return taken;
  }
}
