package io.railflux.engine;

import io.railflux.crypto.SealingKey;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Opens the frames of one ring, in the order they were sealed. What it opened lies in memory of its own,
 * where nobody else can write: the ring may change behind the tag's back. Engine thread only.
 */
final class FrameOpener {

  private final SealingKey key;
  private final long framesPerKey;
  private long number;
  private final byte[] known = new byte[Long.BYTES];
  private byte[] sealed = new byte[0];
  private byte[] plain = new byte[0];
  private ByteBuffer opened = ByteBuffer.allocateDirect(0);
  private ByteBuffer view = opened;

  FrameOpener(SealingKey key) {
    this(key, FrameSealer.FRAMES_PER_KEY);
  }

  FrameOpener(SealingKey key, long framesPerKey) {
    this.key = key;
    this.framesPerKey = framesPerKey;
  }

  /**
   * Opens the frame at {@code offset} of the ring, whose length was checked to lie within it.
   *
   * @return its publish word as it was before it was sealed; 0 when it is not what the peer sealed next
   */
  long open(ByteBuffer ring, int offset, long word) {
    int bytes = FrameHeader.lengthBytes(word) - Long.BYTES;
    boolean whole = bytes >= FrameHeader.BYTES - Long.BYTES + SealingKey.TAG_BYTES;
    if (!whole || (FrameHeader.flags(word) & FrameFlags.TAG) == 0) {
      return 0;
    }
    if (number == framesPerKey) {
      key.advance();
      number = 0;
    }
    makeRoom(bytes);
    // Copied before it is checked: checked bytes and opened bytes must be the same.
    ring.get(offset + Long.BYTES, sealed, 0, bytes);
    FrameSealer.put(known, word);
    if (!key.open(number, known, sealed, bytes, plain)) {
      return 0;
    }
    number++;
    opened.put(Long.BYTES, plain, 0, bytes - SealingKey.TAG_BYTES);
    return FrameHeader.word(
        FrameHeader.lengthBytes(word) - SealingKey.TAG_BYTES,
        FrameHeader.type(word),
        FrameHeader.flags(word) & ~FrameFlags.TAG,
        FrameHeader.headerBytes(word));
  }

  private void makeRoom(int bytes) {
    if (sealed.length < bytes) {
      // Up to twice as much; the length is anybody's word, but it fits the ring.
      int room = Integer.highestOneBit(bytes) << 1;
      sealed = new byte[room];
      plain = new byte[room];
      opened = ByteBuffer.allocateDirect(room + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      view = opened.asReadOnlyBuffer();
    }
  }

  /** Where the frame opened last begins, at index 0. */
  ByteBuffer opened() {
    return opened;
  }

  /** The same memory for decoders. */
  ByteBuffer view() {
    return view;
  }
}
