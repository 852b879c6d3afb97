package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;

/**
 * What each side says first, so that a stranger is told from a peer before anything is kept for him.
 *
 * <pre>
 *  0                 4            6            8
 * +-----------------+------------+------------+
 * | 'R' 'F' 'T' 'C' | versionMin | versionMax |
 * +-----------------+------------+------------+
 * </pre>
 */
final class TcpPreamble {

  static final int BYTES = 8;

  private static final int MAGIC = 'R' | 'F' << 8 | 'T' << 16 | 'C' << 24;
  private static final int VERSION = 1;

  private TcpPreamble() {}

  static void put(ByteBuf to) {
    to.writeIntLE(MAGIC);
    to.writeShortLE(VERSION);
    to.writeShortLE(VERSION);
  }

  /** What is wrong with the {@value #BYTES} bytes read; null when nothing is. */
  static String objection(ByteBuf from) {
    int magic = from.readIntLE();
    int min = from.readUnsignedShortLE();
    int max = from.readUnsignedShortLE();
    if (magic != MAGIC) {
      return "it speaks another protocol: the first bytes were 0x" + Integer.toHexString(magic);
    }
    if (min > VERSION || max < VERSION) {
      return "it speaks versions " + min + " to " + max + " of the TCP fabric, this node "
          + VERSION;
    }
    return null;
  }
}
