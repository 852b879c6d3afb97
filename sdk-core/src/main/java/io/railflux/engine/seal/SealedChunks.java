package io.railflux.engine.seal;

import io.railflux.crypto.SealingKey;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Seals and opens portions of large messages on a sealed subchannel. A portion travels as chunks of {@link
 * #PLAIN_BYTES}, each sealed separately; the last chunk may be shorter.
 *
 * <pre>
 *   +----------------------------+--------+----------------------------+--------+--
 *   | 64 KiB of the message      | tag 16 | the next                   | tag 16 |
 *   +----------------------------+--------+----------------------------+--------+--
 * </pre>
 *
 * The number of a chunk consists of the transfer's number and the chunk's offset. A subchannel grants no byte of a
 * transfer twice, so a key never uses a number for other content. A sealed chunk opens only at its own offset. Engine
 * thread only.
 */
public final class SealedChunks {

  /** Part of the protocol: both sides use the same chunk size. */
  public static final int PLAIN_BYTES = 64 * 1024;

  private static final int SEALED_BYTES = PLAIN_BYTES + Sealer.TAG_BYTES;

  private final Sealer sealer;
  private final Sealer opener;
  private final Fabric fabric;
  private final int places;
  private LocalMemory staging;
  private ByteBuffer stagingView;
  private long staged;
  private long lastTransfer;
  private int lastOffset;
  private boolean lastUnstaged;
  private boolean forged;

  /** @param places largest number of chunks in flight */
  public SealedChunks(Sealing sealing, Fabric fabric, int places) {
    this.sealer = sealing.chunkSealer();
    this.opener = sealing.chunkOpener();
    this.fabric = fabric;
    this.places = places;
  }

  /** Returns the number of message bytes that fit into {@code sealedBytes}. */
  public static int capacity(int sealedBytes) {
    int rest = sealedBytes % SEALED_BYTES - Sealer.TAG_BYTES;
    return sealedBytes / SEALED_BYTES * PLAIN_BYTES + Math.max(0, rest);
  }

  /** Checks the grant, because a sealed portion is longer than its content. */
  public static void requireFits(RendezvousReply grant) throws RemoteAccessException {
    int room = grant.region().bytes() - grant.region().offset();
    if (capacity(room) < grant.lengthBytes()) {
      throw new RemoteAccessException(
          "a portion of " + grant.lengthBytes() + " B does not fit sealed into " + room + " B");
    }
  }

  /** Returns the position of the chunk behind {@code written} bytes of a portion. */
  public static int position(int written) {
    return written / PLAIN_BYTES * SEALED_BYTES;
  }

  /** Seals into {@code target} at its position. */
  public void seal(ByteBuffer chunk, ByteBuffer target, long transfer, int offset) {
    sealer.seal(chunk, target, transfer, offset);
  }

  /**
   * Seals into memory of this rail, which stays unchanged until {@code places} more chunks are sealed.
   *
   * @return offset in {@link #staging}
   */
  public int stage(ByteBuffer chunk, long transfer, int offset) {
    if (staging == null) {
      ByteBuffer memory = ByteBuffer.allocateDirect(places * SEALED_BYTES);
      staging = fabric.register(memory.order(ByteOrder.LITTLE_ENDIAN));
      stagingView = memory.duplicate();
    }
    int at = (int) (staged++ % places) * SEALED_BYTES;
    if (lastUnstaged && transfer == lastTransfer && offset == lastOffset) {
      // The chunk is already staged: a number seals once, even the same content.
      chunk.position(chunk.limit());
    } else {
      seal(chunk, stagingView.clear().position(at), transfer, offset);
    }
    lastTransfer = transfer;
    lastOffset = offset;
    lastUnstaged = false;
    return at;
  }

  public LocalMemory staging() {
    return staging;
  }

  /** Returns a staged chunk that was not posted; it may be staged again. */
  public void unstage() {
    staged--;
    lastUnstaged = true;
  }

  /**
   * Opens a portion.
   *
   * @param sealed sealed bytes from its position on
   * @param target receives the content, from position to limit
   * @return whether all chunks were sealed for this place
   */
  public boolean open(ByteBuffer sealed, ByteBuffer target, long transfer, int offset) {
    int at = offset;
    while (target.hasRemaining()) {
      int bytes = Math.min(PLAIN_BYTES, target.remaining());
      ByteBuffer chunk = sealed.slice(sealed.position(), bytes + Sealer.TAG_BYTES);
      if (!opener.open(chunk, target, transfer, at)) {
        return false;
      }
      sealed.position(sealed.position() + bytes + Sealer.TAG_BYTES);
      at += bytes;
    }
    return true;
  }

  /** Records that a landed portion is not what the peer sealed. */
  public void forged() {
    forged = true;
  }

  public boolean isForged() {
    return forged;
  }

  public void close() {
    if (staging != null) {
      staging.close();
    }
  }

  /**
   * Seals or opens the chunks of large messages, which travel outside the ring. Each chunk has a number that both
   * sides derive. A key never uses a number for other content. Engine thread only.
   */
  public static final class Sealer {

    /** Difference in size between a sealed and a plain chunk. */
    public static final int TAG_BYTES = SealingKey.TAG_BYTES;

    /** Bits below the transfer's number: a message has at most 1 GiB. */
    private static final int OFFSET_BITS = 31;

    private final SealingKey key;
    private final byte[] known = new byte[Long.BYTES];
    private byte[] in = new byte[0];
    private byte[] out = new byte[0];

    Sealer(SealingKey key) {
      this.key = key;
    }

    /**
     * Seals the bytes between position and limit into the other buffer at its position, {@link #TAG_BYTES} longer.
     * Both positions advance.
     *
     * @param transfer number of the message on both sides, so that a chunk cannot replace one of another message
     * @param offset offset in the message
     */
    void seal(ByteBuffer chunk, ByteBuffer sealed, long transfer, int offset) {
      int bytes = chunk.remaining();
      makeRoom(bytes + TAG_BYTES);
      chunk.get(in, 0, bytes);
      know(transfer);
      key.seal(high(transfer), low(transfer, offset), known, in, bytes, out, 0);
      sealed.put(out, 0, bytes + TAG_BYTES);
    }

    /** Opens a chunk, the inverse of {@link #seal}. Returns whether it is authentic; otherwise no position advances. */
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
}
