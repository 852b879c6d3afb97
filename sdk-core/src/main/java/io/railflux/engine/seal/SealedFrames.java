package io.railflux.engine.seal;

import io.railflux.crypto.SealingKey;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Seals frames of a ring at one side and opens them at the other, in the same order. */
public final class SealedFrames {

  private SealedFrames() {}

  /**
   * Seals the frames that one side writes into one ring, in order. The number of a frame is the count of frames
   * sealed before it. A repeated frame goes into another ring with other keys, or into this ring under a new
   * number: no number is used twice. Engine thread only.
   */
  public static final class Sealer {

    /** Frames under one key. Their bytes stay far below the bound of AES-GCM. */
    static final long FRAMES_PER_KEY = 1 << 20;

    private final SealingKey key;
    private final long framesPerKey;
    private long number;

    // Heap memory, because the ciphers copy other memory to the heap first.
    private final byte[] known = new byte[Long.BYTES];
    private byte[] plain = new byte[0];
    private byte[] sealed = new byte[0];

    public Sealer(SealingKey key) {
      this(key, FRAMES_PER_KEY);
    }

    public Sealer(SealingKey key, long framesPerKey) {
      this.key = key;
      this.framesPerKey = framesPerKey;
    }

    /** Returns the publish word of the sealed frame. */
    public static long sealedWord(long word) {
      return FrameHeader.word(
          FrameHeader.lengthBytes(word) + SealingKey.TAG_BYTES,
          FrameHeader.type(word),
          FrameHeader.flags(word) | FrameFlags.TAG,
          FrameHeader.headerBytes(word));
    }

    /**
     * Seals the bytes behind the publish word, which is not written.
     *
     * @param word publish word of the plain frame
     */
    public void seal(
        ByteBuffer source, int offset, long word, ByteBuffer target, int targetOffset) {
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

  /**
   * Opens the frames of one ring, in the order they were sealed. Opened frames lie in private memory, because the
   * peer could change the ring after the verification. Engine thread only.
   */
  public static final class Opener {

    private final SealingKey key;
    private final long framesPerKey;
    private long number;
    private final byte[] known = new byte[Long.BYTES];
    private byte[] sealed = new byte[0];
    private byte[] plain = new byte[0];
    private ByteBuffer opened = ByteBuffer.allocateDirect(0);
    private ByteBuffer view = opened;

    public Opener(SealingKey key) {
      this(key, SealedFrames.Sealer.FRAMES_PER_KEY);
    }

    public Opener(SealingKey key, long framesPerKey) {
      this.key = key;
      this.framesPerKey = framesPerKey;
    }

    /**
     * Opens the frame at {@code offset} of the ring, whose length was checked to lie within it.
     *
     * @return publish word of the plain frame; 0 if the frame is not what the peer sealed next
     */
    public long open(ByteBuffer ring, int offset, long word) {
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
      // Copied before the check, so that checked and opened bytes are the same.
      ring.get(offset + Long.BYTES, sealed, 0, bytes);
      SealedFrames.Sealer.put(known, word);
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
        // Rounded up to a power of two. The length is unauthenticated, but fits the ring.
        int room = Integer.highestOneBit(bytes) << 1;
        sealed = new byte[room];
        plain = new byte[room];
        opened = ByteBuffer.allocateDirect(room + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        view = opened.asReadOnlyBuffer();
      }
    }

    /** Memory of the frame opened last, which begins at index 0. */
    public ByteBuffer opened() {
      return opened;
    }

    /** The same memory, for decoders. */
    public ByteBuffer view() {
      return view;
    }
  }
}
