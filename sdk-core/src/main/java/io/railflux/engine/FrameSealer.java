package io.railflux.engine;

import io.railflux.crypto.SealingKey;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;

/**
 * Seals the frames one side writes into one ring, in their order: the number of a frame is how many were
 * sealed before it. A frame that is sent again goes into another ring, with keys of its own, or again into
 * this one under another number: no number is used twice. Engine thread only.
 */
final class FrameSealer {

  /** Frames under one key: so few that their bytes stay far below what AES-GCM may protect. */
  static final long FRAMES_PER_KEY = 1 << 20;

  private final SealingKey key;
  private final long framesPerKey;
  private long number;

  // Of heap memory: the ciphers would copy others into such first.
  private final byte[] known = new byte[Long.BYTES];
  private byte[] plain = new byte[0];
  private byte[] sealed = new byte[0];

  FrameSealer(SealingKey key) {
    this(key, FRAMES_PER_KEY);
  }

  FrameSealer(SealingKey key, long framesPerKey) {
    this.key = key;
    this.framesPerKey = framesPerKey;
  }

  /** What a frame with that publish word becomes. */
  static long sealedWord(long word) {
    return FrameHeader.word(
        FrameHeader.lengthBytes(word) + SealingKey.TAG_BYTES,
        FrameHeader.type(word),
        FrameHeader.flags(word) | FrameFlags.TAG,
        FrameHeader.headerBytes(word));
  }

  /**
   * Seals everything behind the publish word; that itself is not written.
   *
   * @param word of the plain frame
   */
  void seal(ByteBuffer source, int offset, long word, ByteBuffer target, int targetOffset) {
    if (number == framesPerKey) {
      key.advance();
      number = 0;
    }
    int bytes = FrameHeader.lengthBytes(word) - Long.BYTES;
    if (plain.length < bytes) {
      plain = new byte[2 * bytes];
      sealed = new byte[2 * bytes + SealingKey.TAG_BYTES];
    }
    source.get(offset + Long.BYTES, plain, 0, bytes);
    put(known, sealedWord(word));
    key.seal(number++, known, plain, bytes, sealed, 0);
    target.put(targetOffset + Long.BYTES, sealed, 0, bytes + SealingKey.TAG_BYTES);
  }

  static void put(byte[] target, long word) {
    for (int i = 0; i < Long.BYTES; i++) {
      target[i] = (byte) (word >>> (Byte.SIZE * i));
    }
  }
}
