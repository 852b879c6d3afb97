package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Header of a ring frame.
 *
 * <pre>
 *      0        4      5       6            8
 *     +--------+------+-------+------------+
 *   0 | length | type | flags | headerBytes|  publish word: written last (release),
 *     +--------+------+-------+------------+  read first (acquire), 0 = no frame
 *   8 | psn                                |  sequenced frames; 0 in link frames
 *     +------------------------------------+
 *  16 | streamId                           |  0 when none
 *     +------------------------------------+
 *  24 | streamSeq                          |  meaning by type
 *     +------------------------------------+
 *  32 | PIGGYBACK: creditPosition, ackPsn  |  16 bytes   extensions, each only when its
 *     | TIME_TO_LIVE: nanoseconds, &gt; 0     |   8 bytes   flag is set, in this order
 *     | METADATA: uint16 count, bytes, pad |  to 8
 *     +------------------------------------+
 *     | unknown to this version            |  skipped
 *     +------------------------------------+
 *     | body                               |  headerBytes (a multiple of 8) .. length
 *     +------------------------------------+
 * </pre>
 *
 * <p>With TAG all bytes behind the publish word are encrypted, and a tag of 16 bytes follows, which length
 * includes; it also authenticates the publish word. The diagram shows the unsealed frame.
 *
 * <p>A frame starts at a slot boundary and takes whole slots; length counts header and body, not the
 * slot padding. The buffer must be direct, its slots 8-byte aligned and its order little-endian: the JDK permits
 * acquire and release access to such buffers only. Plain access to a direct buffer of the native order costs a
 * third less through the buffer than through a VarHandle.
 */
public final class FrameHeader {
  /** Frames start at multiples of this size. */
  public static final int SLOT_BYTES = 64;

  /** Size of the header without extensions. */
  public static final int BYTES = 32;

  /** Offset of the packet sequence number. */
  public static final int PSN_OFFSET = 8;

  /** Offset of the stream id. */
  public static final int STREAM_ID_OFFSET = 16;

  /** Offset of the stream sequence. */
  public static final int STREAM_SEQ_OFFSET = 24;

  static final int PIGGYBACK_BYTES = 16;
  static final int TIME_TO_LIVE_BYTES = 8;
  static final int METADATA_COUNT_BYTES = 2;

  static final int EXTENSIONS =
      FrameFlags.PIGGYBACK | FrameFlags.TIME_TO_LIVE | FrameFlags.METADATA;

  private FrameHeader() {}

  /** Packs a publish word; {@code lengthBytes} must be positive, so that the word is not 0. */
  public static long word(int lengthBytes, int type, int flags, int headerBytes) {
    return (lengthBytes & 0xFFFF_FFFFL)
        | (type & 0xFFL) << 32
        | (flags & 0xFFL) << 40
        | (headerBytes & 0xFFFFL) << 48;
  }

  /** Returns the length of the frame; negative if a hostile peer wrote more than 31 bits. */
  public static int lengthBytes(long word) {
    return (int) word;
  }

  /** Returns a type of {@link FrameType}, or an unknown one. */
  public static int type(long word) {
    return (int) (word >>> 32) & 0xFF;
  }

  /** Returns a set of {@link FrameFlags}. */
  public static int flags(long word) {
    return (int) (word >>> 40) & 0xFF;
  }

  /** Returns the offset of the body from the start of the frame. */
  public static int headerBytes(long word) {
    return (int) (word >>> 48);
  }

  /** Returns the size of a frame in the ring. */
  public static int slotBytes(int lengthBytes) {
    return (lengthBytes + SLOT_BYTES - 1) & -SLOT_BYTES;
  }

  /** Returns the size of the header with the extensions of {@code flags}. */
  public static int headerBytes(int flags, int metadataBytes) {
    if ((flags & EXTENSIONS) == 0) {
      return BYTES;
    }
    int bytes = BYTES;
    if ((flags & FrameFlags.PIGGYBACK) != 0) {
      bytes += PIGGYBACK_BYTES;
    }
    if ((flags & FrameFlags.TIME_TO_LIVE) != 0) {
      bytes += TIME_TO_LIVE_BYTES;
    }
    if ((flags & FrameFlags.METADATA) != 0) {
      bytes += metadataFieldBytes(metadataBytes);
    }
    return bytes;
  }

  /** Writes the fixed header without the publish word, with plain stores. */
  public static void put(ByteBuffer b, int offset, long psn, long streamId, long streamSeq) {
    b.putLong(offset + PSN_OFFSET, psn);
    b.putLong(offset + STREAM_ID_OFFSET, streamId);
    b.putLong(offset + STREAM_SEQ_OFFSET, streamSeq);
  }

  /**
   * Writes the extensions of {@code flags}, with plain stores. {@code offset} is the start of the frame; {@code
   * metadata} is read from position to limit and not changed.
   */
  public static void putExtensions(
      ByteBuffer b,
      int offset,
      int flags,
      long creditPosition,
      long ackPsn,
      long timeToLiveNanos,
      ByteBuffer metadata) {
    int at = offset + BYTES;
    if ((flags & FrameFlags.PIGGYBACK) != 0) {
      at = putPair(b, at, creditPosition, ackPsn);
    }
    if ((flags & FrameFlags.TIME_TO_LIVE) != 0) {
      b.putLong(at, timeToLiveNanos);
      at += TIME_TO_LIVE_BYTES;
    }
    if ((flags & FrameFlags.METADATA) != 0) {
      putMetadata(b, at, metadata);
    }
  }

  /** Publishes the frame: a reader of this word sees all earlier writes. */
  public static void publish(ByteBuffer b, int offset, long word) {
    Fields.LONG.setRelease(b, offset, word);
  }

  /** Reads the publish word; 0 without a frame. */
  public static long peek(ByteBuffer b, int offset) {
    return (long) Fields.LONG.getAcquire(b, offset);
  }

  /**
   * Zeroes the publish word of every slot in a consumed range, before its credit returns. The next frame may start at
   * any of these slots, and remains of a body must not look like a publish word.
   */
  public static void clearHeads(ByteBuffer b, int offset, int bytes) {
    for (int at = offset; at < offset + bytes; at += SLOT_BYTES) {
      b.putLong(at, 0L);
    }
  }

  static int metadataFieldBytes(int metadataBytes) {
    return (METADATA_COUNT_BYTES + metadataBytes + 7) & -8;
  }

  private static int putPair(ByteBuffer b, int at, long first, long second) {
    b.putLong(at, first);
    b.putLong(at + 8, second);
    return at + 16;
  }

  private static void putMetadata(ByteBuffer b, int at, ByteBuffer metadata) {
    int count = metadata == null ? 0 : metadata.remaining();
    if (count > Metadata.MAX_BYTES) {
      throw new IllegalArgumentException(
          "metadata of " + count + " bytes, at most " + Metadata.MAX_BYTES + " fit");
    }
    int fieldBytes = metadataFieldBytes(count);
    // Writes the last word first: it contains the padding, and the bytes then overwrite its
    // remainder.
    b.putLong(at + fieldBytes - 8, 0L);
    b.putShort(at, (short) count);
    if (count > 0) {
      b.put(at + METADATA_COUNT_BYTES, metadata, metadata.position(), count);
    }
  }
}
