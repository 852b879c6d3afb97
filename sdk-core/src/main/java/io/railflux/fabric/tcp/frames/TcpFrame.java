package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;

/**
 * Header of a frame of one connection; little-endian.
 *
 * <pre>
 *      0      1       2          4
 *     +------+-------+----------+-------------+
 *   0 | type | flags | reserved | length      |
 *     +------+-------+----------+-------------+
 *   8 | taken: requests of the receiver of    |
 *     |        this frame that took effect    |
 *     +---------------------------------------+
 *  16 | key of the region                     |
 *     +-------------------------+-------------+
 *  24 | offset in the region    | immediate   |
 *     +-------------------------+-------------+
 *  32 | payload: length bytes, but for READ   |
 *     +---------------------------------------+
 * </pre>
 *
 * Before the first frame each side sends its {@code TcpPreamble}. {@code taken} counts since then and acknowledges
 * everything before: it travels in every frame, in an {@link #ACK} if no other frame is due.
 */
public final class TcpFrame {

  public static final int BYTES = 32;

  /** Requests; each counts once in {@code taken}. */
  public static final int SEND = 1;

  public static final int WRITE = 2;
  public static final int WRITE_IMMEDIATE = 3;

  /** Requests {@code length} bytes; has no payload. */
  public static final int READ = 4;

  /** Payload: operand, compare; 8 bytes each. */
  public static final int FETCH_ADD = 5;

  public static final int COMPARE_SWAP = 6;

  /** Result of the oldest open READ or atomic; {@code taken} includes it. */
  public static final int REPLY = 7;

  /** Carries {@code taken} only. */
  public static final int ACK = 8;

  /** The request after {@code taken} was refused for the reason in {@code immediate}; the connection ends. */
  public static final int REFUSED = 9;

  /** Requests an early acknowledgement. */
  public static final int SIGNALED = 1;

  public static final int ATOMIC_BYTES = 2 * Long.BYTES;

  private static final int TAKEN_OFFSET = 8;
  private static final int KEY_OFFSET = 16;
  private static final int OFFSET_OFFSET = 24;
  private static final int IMMEDIATE_OFFSET = 28;

  private TcpFrame() {}

  public static void put(
      ByteBuf to,
      int type,
      int flags,
      int length,
      long taken,
      long key,
      int offset,
      int immediate) {
    to.writeByte(type);
    to.writeByte(flags);
    to.writeShortLE(0);
    to.writeIntLE(length);
    to.writeLongLE(taken);
    to.writeLongLE(key);
    to.writeIntLE(offset);
    to.writeIntLE(immediate);
  }

  public static int type(ByteBuf header) {
    return header.getUnsignedByte(header.readerIndex());
  }

  public static int flags(ByteBuf header) {
    return header.getUnsignedByte(header.readerIndex() + 1);
  }

  /** Negative if a hostile peer wrote more than 31 bits. */
  public static int length(ByteBuf header) {
    return header.getIntLE(header.readerIndex() + 4);
  }

  public static long taken(ByteBuf header) {
    return header.getLongLE(header.readerIndex() + TAKEN_OFFSET);
  }

  public static long key(ByteBuf header) {
    return header.getLongLE(header.readerIndex() + KEY_OFFSET);
  }

  public static int offset(ByteBuf header) {
    return header.getIntLE(header.readerIndex() + OFFSET_OFFSET);
  }

  public static int immediate(ByteBuf header) {
    return header.getIntLE(header.readerIndex() + IMMEDIATE_OFFSET);
  }
}
