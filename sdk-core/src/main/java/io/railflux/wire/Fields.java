package io.railflux.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/** Little-endian integers, by VarHandles, because a slice or duplicate of a buffer silently reverts to big-endian. */
public final class Fields {
  public static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, LITTLE_ENDIAN);
  public static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, LITTLE_ENDIAN);
  public static final VarHandle SHORT =
      MethodHandles.byteBufferViewVarHandle(short[].class, LITTLE_ENDIAN);

  private Fields() {}

  public static void putByte(ByteBuffer target, int value) {
    target.put(advance(target, 1), (byte) value);
  }

  public static void putShort(ByteBuffer target, int value) {
    SHORT.set(target, advance(target, 2), (short) value);
  }

  public static void putInt(ByteBuffer target, int value) {
    INT.set(target, advance(target, 4), value);
  }

  public static void putLong(ByteBuffer target, long value) {
    LONG.set(target, advance(target, 8), value);
  }

  public static int unsignedByte(ByteBuffer source) throws MalformedFrameException {
    return Byte.toUnsignedInt(source.get(take(source, 1)));
  }

  public static int unsignedShort(ByteBuffer source) throws MalformedFrameException {
    return Short.toUnsignedInt((short) SHORT.get(source, take(source, 2)));
  }

  public static int getInt(ByteBuffer source) throws MalformedFrameException {
    return (int) INT.get(source, take(source, 4));
  }

  public static long getLong(ByteBuffer source) throws MalformedFrameException {
    return (long) LONG.get(source, take(source, 8));
  }

  /** Skips {@code bytes} of untrusted input and returns their start. */
  public static int take(ByteBuffer source, int bytes) throws MalformedFrameException {
    if (source.remaining() < bytes) {
      throw new MalformedFrameException(
          "needs " + bytes + " more bytes, only " + source.remaining() + " are left");
    }
    int start = source.position();
    source.position(start + bytes);
    return start;
  }

  private static int advance(ByteBuffer target, int bytes) {
    if (target.remaining() < bytes) {
      throw new BufferOverflowException();
    }
    int start = target.position();
    target.position(start + bytes);
    return start;
  }

  public static int requireUnsigned(String what, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(what + " must be 0 to " + max + ", was " + value);
    }
    return value;
  }
}
