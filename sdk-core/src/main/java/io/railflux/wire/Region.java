package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * A place in exposed memory.
 *
 * @param key key of the region
 * @param bytes length of the region
 * @param offset place within the region
 */
public record Region(long key, int bytes, int offset) {

  void requireHolds(int lengthBytes) {
    Fields.requireUnsigned("regionBytes", bytes, Integer.MAX_VALUE);
    Fields.requireUnsigned("regionOffset", offset, Integer.MAX_VALUE);
    if (lengthBytes > bytes - offset) {
      throw new IllegalArgumentException(
          lengthBytes + " bytes at " + offset + " of a region of " + bytes + " bytes");
    }
  }

  void encode(ByteBuffer target) {
    Fields.putLong(target, key);
    Fields.putInt(target, bytes);
    Fields.putInt(target, offset);
  }

  static Region decode(ByteBuffer source) throws MalformedFrameException {
    long key = Fields.getLong(source);
    int bytes = Fields.getInt(source);
    return new Region(key, bytes, Fields.getInt(source));
  }
}
