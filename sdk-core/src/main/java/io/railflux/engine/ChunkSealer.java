package io.railflux.engine;

import io.railflux.crypto.SealingKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Seals or opens parts of large messages that travel outside the ring, each under a number of its own, made of what both
 * sides know: it is never used with this key for other content. Engine thread only.
 */
final class ChunkSealer {

  /** What a sealed chunk has more than a plain one. */
  static final int TAG_BYTES = SealingKey.TAG_BYTES;

  /** Below a transfer's number: a message has at most 1 GiB. */
  private static final int OFFSET_BITS = 31;

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
   * @param transfer what both sides know the message by, so that no chunk passes for one of another
   * @param offset where in the message it belongs
   */
  void seal(ByteBuffer chunk, ByteBuffer sealed, long transfer, int offset) {
    int bytes = chunk.remaining();
    makeRoom(bytes + TAG_BYTES);
    chunk.get(in, 0, bytes);
    know(transfer);
    key.seal(high(transfer), low(transfer, offset), known, in, bytes, out, 0);
    sealed.put(out, 0, bytes + TAG_BYTES);
  }

  /** As {@link #seal}, the other way round. Returns whether it is what was sealed; if not, nothing moves. */
  boolean open(ByteBuffer sealed, ByteBuffer chunk, long transfer, int offset) {
    int bytes = sealed.remaining();
    makeRoom(bytes);
    sealed.get(sealed.position(), in, 0, bytes);
    know(transfer);
    if (!key.open(high(transfer), low(transfer, offset), known, in, bytes, out)) {
      return false;
    }
    sealed.position(sealed.limit());
    chunk.put(out, 0, bytes - TAG_BYTES);
    return true;
  }

  private void know(long transfer) {
    ByteBuffer.wrap(known).order(ByteOrder.LITTLE_ENDIAN).putLong(0, transfer);
  }

  private static int high(long transfer) {
    return (int) (transfer >>> (Long.SIZE - OFFSET_BITS));
  }

  private static long low(long transfer, int offset) {
    return (transfer << OFFSET_BITS) | offset;
  }

  private void makeRoom(int bytes) {
    if (in.length < bytes) {
      in = new byte[bytes];
      out = new byte[bytes];
    }
  }
}
