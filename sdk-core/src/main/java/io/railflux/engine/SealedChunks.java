package io.railflux.engine;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Portions of large messages on a sealed subchannel. A portion travels as chunks of {@link #PLAIN_BYTES},
 * the last one shorter, each sealed on its own:
 *
 * <pre>
 *   +----------------------------+--------+----------------------------+--------+--
 *   | 64 KiB of the message      | tag 16 | the next                   | tag 16 |
 *   +----------------------------+--------+----------------------------+--------+--
 * </pre>
 *
 * A chunk's number is made of the transfer's and of where its bytes belong. Over one subchannel no byte of a
 * transfer is granted twice, so no number is used with its key for other content; and what was sealed for
 * one place opens at no other. Engine thread only.
 */
final class SealedChunks {

  /** Part of the protocol: both sides cut alike. */
  static final int PLAIN_BYTES = 64 * 1024;

  private static final int SEALED_BYTES = PLAIN_BYTES + ChunkSealer.TAG_BYTES;

  private final ChunkSealer sealer;
  private final ChunkSealer opener;
  private final Fabric fabric;
  private final int places;
  private LocalMemory staging;
  private ByteBuffer stagingView;
  private long staged;
  private long lastTransfer;
  private int lastOffset;
  private boolean lastUnstaged;
  private boolean forged;

  /** @param places chunks that can be under way at a time */
  SealedChunks(Sealing sealing, Fabric fabric, int places) {
    this.sealer = sealing.chunkSealer();
    this.opener = sealing.chunkOpener();
    this.fabric = fabric;
    this.places = places;
  }

  /** How much of a message fits into that many bytes. */
  static int capacity(int sealedBytes) {
    int rest = sealedBytes % SEALED_BYTES - ChunkSealer.TAG_BYTES;
    return sealedBytes / SEALED_BYTES * PLAIN_BYTES + Math.max(0, rest);
  }

  /** A portion takes more than its bytes. */
  static void requireFits(RendezvousReply grant) throws RemoteAccessException {
    int room = grant.region().bytes() - grant.region().offset();
    if (capacity(room) < grant.lengthBytes()) {
      throw new RemoteAccessException(
          "a portion of " + grant.lengthBytes() + " B does not fit sealed into " + room + " B");
    }
  }

  /** Where the chunk begins that follows {@code written} bytes of a portion. */
  static int position(int written) {
    return written / PLAIN_BYTES * SEALED_BYTES;
  }

  /** Seals into {@code target} at its position. */
  void seal(ByteBuffer chunk, ByteBuffer target, long transfer, int offset) {
    sealer.seal(chunk, target, transfer, offset);
  }

  /**
   * Seals into memory of this rail, which stays as it is until {@code places} more were sealed.
   *
   * @return where in {@link #staging}
   */
  int stage(ByteBuffer chunk, long transfer, int offset) {
    if (staging == null) {
      ByteBuffer memory = ByteBuffer.allocateDirect(places * SEALED_BYTES);
      staging = fabric.register(memory.order(ByteOrder.LITTLE_ENDIAN));
      stagingView = memory.duplicate();
    }
    int at = (int) (staged++ % places) * SEALED_BYTES;
    if (lastUnstaged && transfer == lastTransfer && offset == lastOffset) {
      // It lies there: a number seals once, even the same.
      chunk.position(chunk.limit());
    } else {
      seal(chunk, stagingView.clear().position(at), transfer, offset);
    }
    lastTransfer = transfer;
    lastOffset = offset;
    lastUnstaged = false;
    return at;
  }

  LocalMemory staging() {
    return staging;
  }

  /** The chunk just staged was not posted; it may be staged again. */
  void unstage() {
    staged--;
    lastUnstaged = true;
  }

  /**
   * Opens a portion.
   *
   * @param sealed from its position on
   * @param target what belongs there, from position to limit
   * @return whether all of it is what was sealed for this place
   */
  boolean open(ByteBuffer sealed, ByteBuffer target, long transfer, int offset) {
    int at = offset;
    while (target.hasRemaining()) {
      int bytes = Math.min(PLAIN_BYTES, target.remaining());
      ByteBuffer chunk = sealed.slice(sealed.position(), bytes + ChunkSealer.TAG_BYTES);
      if (!opener.open(chunk, target, transfer, at)) {
        return false;
      }
      sealed.position(sealed.position() + bytes + ChunkSealer.TAG_BYTES);
      at += bytes;
    }
    return true;
  }

  /** What landed is not what the peer sealed. */
  void forged() {
    forged = true;
  }

  boolean isForged() {
    return forged;
  }

  void close() {
    if (staging != null) {
      staging.close();
    }
  }
}
