package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * A place in memory that whoever tells of it exposed.
 *
 * @param key of the region, as its fabric made it
 * @param bytes length of the whole region
 * @param offset where in it
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
