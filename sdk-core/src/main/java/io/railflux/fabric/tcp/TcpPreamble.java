package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.railflux.fabric.tcp.frames.FrameChecksum;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * First bytes of each side, which distinguish peers from other clients before any memory is allocated. If both sides
 * support version 2, each sends its options as soon as it has read the first 8 bytes of the other side.
 *
 * <pre>
 *  0                 4            6            8                 12                 16
 * +-----------------+------------+------------+ +-----------------+------------------+
 * | 'R' 'F' 'T' 'C' | versionMin | versionMax | | options         | CRC-32C of 0..12 |
 * +-----------------+------------+------------+ +-----------------+------------------+
 * </pre>
 *
 * <p>Bit 0 of the options requests checksums; other bits are ignored. The CRC covers the versions too: a side that is
 * mistaken for an older version receives frames in place of options.
 */
final class TcpPreamble {

  /** Bytes that every version sends. */
  static final int BYTES = 8;

  /** Bytes including the options. */
  static final int WITH_OPTIONS_BYTES = 16;

  /** First version with options. */
  static final int VERSION_WITH_OPTIONS = 2;

  private static final int MAGIC = 'R' | 'F' << 8 | 'T' << 16 | 'C' << 24;
  private static final int OLDEST = 1;
  private static final int LATEST = VERSION_WITH_OPTIONS;
  private static final int CHECKSUMS = 1;

  private static final int VERSIONS_OFFSET = 4;
  private static final int OPTIONS_OFFSET = 8;
  private static final int CHECKSUM_OFFSET = 12;

  // Direct for sockets, and allocated once: a connection needs no memory for its preamble.
  private final ByteBuf withChecksums = newMessage(true);
  private final ByteBuf withoutChecksums = newMessage(false);

  /** Allocates the preamble that all connections of a fabric share. */
  TcpPreamble() {}

  private static ByteBuf newMessage(boolean checksums) {
    // Wrapped, because Netty would report a dropped buffer of its own as a leak.
    ByteBuf message =
        Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(WITH_OPTIONS_BYTES)).clear();
    putWithOptions(message, checksums);
    return Unpooled.unreleasableBuffer(message);
  }

  static ByteBuf put(ByteBuf to) {
    return to.writeIntLE(MAGIC).writeShortLE(OLDEST).writeShortLE(LATEST);
  }

  /** Returns the preamble to send; releasing the buffer has no effect. */
  ByteBuf message() {
    return withoutChecksums.slice(0, BYTES);
  }

  /** Returns the options to send after {@link #message}; releasing the buffer has no effect. */
  ByteBuf options(boolean checksums) {
    ByteBuf all = checksums ? withChecksums : withoutChecksums;
    return all.slice(BYTES, WITH_OPTIONS_BYTES - BYTES);
  }

  /** Writes the sent preamble and the options behind it, see {@link #put}. */
  static void putWithOptions(ByteBuf to, boolean checksums) {
    int start = to.writerIndex();
    put(to);
    to.writeIntLE(checksums ? CHECKSUMS : 0);
    to.writeIntLE(FrameChecksum.of(to, start, CHECKSUM_OFFSET));
  }

  /** Returns the defect of the first {@value #BYTES} bytes; null without any. */
  static String objection(ByteBuf from) {
    int magic = from.getIntLE(from.readerIndex());
    if (magic != MAGIC) {
      return "it uses another protocol: the first bytes were " + inWireOrder(from);
    }
    if (version(from) < lowest(from)) {
      return "it supports versions " + min(from) + " to " + max(from)
          + " of the TCP fabric, this node " + OLDEST + " to " + LATEST;
    }
    return null;
  }

  /** Returns the first {@value #BYTES} bytes in hexadecimal and as ASCII, where a dot stands for any other byte. */
  private static String inWireOrder(ByteBuf from) {
    String ascii = from.toString(from.readerIndex(), BYTES, StandardCharsets.ISO_8859_1);
    return "0x" + ByteBufUtil.hexDump(from, from.readerIndex(), BYTES) + " ('"
        + ascii.replaceAll("[^\\x20-\\x7E]", ".") + "')";
  }

  private static int min(ByteBuf from) {
    return from.getUnsignedShortLE(from.readerIndex() + VERSIONS_OFFSET);
  }

  private static int max(ByteBuf from) {
    return from.getUnsignedShortLE(from.readerIndex() + VERSIONS_OFFSET + Short.BYTES);
  }

  private static int lowest(ByteBuf from) {
    return Math.max(OLDEST, min(from));
  }

  /** Returns the version of the connection; both sides compute the same. */
  static int version(ByteBuf from) {
    return Math.min(LATEST, max(from));
  }

  /** Whether the first {@value #WITH_OPTIONS_BYTES} bytes match their checksum. */
  static boolean isIntact(ByteBuf from) {
    int checksum = from.getIntLE(from.readerIndex() + CHECKSUM_OFFSET);
    return FrameChecksum.of(from, from.readerIndex(), CHECKSUM_OFFSET) == checksum;
  }

  /** Whether the options request checksums. */
  static boolean asksForChecksums(ByteBuf from) {
    return (from.getIntLE(from.readerIndex() + OPTIONS_OFFSET) & CHECKSUMS) != 0;
  }
}
