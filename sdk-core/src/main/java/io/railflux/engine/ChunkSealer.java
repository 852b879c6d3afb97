package io.railflux.engine;

import io.railflux.crypto.SealingKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Seals or opens parts of large messages that travel outside the ring, each under a number of its own that
 * both sides know: it is never used with this key for other content. Engine thread only.
 */
final class ChunkSealer {

  /** What a sealed chunk has more than a plain one. */
  static final int TAG_BYTES = SealingKey.TAG_BYTES;

  private final SealingKey key;
  private final byte[] known = new byte[Long.BYTES];
  private byte[] in = new byte[0];
  private byte[] out = new byte[0];

  ChunkSealer(SealingKey key) {
    this.key = key;
  }

  /**
   * Seals the bytes between position and limit and puts them, {@link #TAG_BYTES} more, into the other
   * buffer at its position. Both positions move.
   *
   * @param messageId what both sides know the message by, so that no chunk passes for one of another
   */
  void seal(ByteBuffer chunk, ByteBuffer sealed, long messageId, long number) {
    int bytes = chunk.remaining();
    makeRoom(bytes + TAG_BYTES);
    chunk.get(in, 0, bytes);
    know(messageId);
    key.seal(number, known, in, bytes, out, 0);
    sealed.put(out, 0, bytes + TAG_BYTES);
  }

  /** As {@link #seal}, the other way round. Returns whether it is what was sealed; if not, nothing moves. */
  boolean open(ByteBuffer sealed, ByteBuffer chunk, long messageId, long number) {
    int bytes = sealed.remaining();
    makeRoom(bytes);
    sealed.get(sealed.position(), in, 0, bytes);
    know(messageId);
    if (!key.open(number, known, in, bytes, out)) {
      return false;
    }
    sealed.position(sealed.limit());
    chunk.put(out, 0, bytes - TAG_BYTES);
    return true;
  }

  private void know(long messageId) {
    ByteBuffer.wrap(known).order(ByteOrder.LITTLE_ENDIAN).putLong(0, messageId);
  }

  private void makeRoom(int bytes) {
    if (in.length < bytes) {
      in = new byte[bytes];
      out = new byte[bytes];
    }
  }
}
