package io.railflux.fabric.tcp.frames;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C of consecutive frames of one direction: first of the header, then of header and payload. Single-threaded.
 */
public final class FrameChecksum {

  public static final int BYTES = Integer.BYTES;

  private final CRC32C crc = new CRC32C();

  /** Returns the checksum of a range. */
  public static int of(ByteBuf bytes, int index, int length) {
    FrameChecksum checksum = new FrameChecksum();
    checksum.update(bytes, index, length);
    return checksum.value();
  }

  /** Begins a frame. */
  void reset() {
    crc.reset();
  }

  /** Adds the bytes from position to limit. */
  void update(ByteBuffer bytes) {
    crc.update(bytes);
  }

  void update(ByteBuf bytes, int index, int length) {
    // Joined buffers of TLS have no single view.
    boolean single = bytes.nioBufferCount() == 1;
    crc.update(single ? bytes.internalNioBuffer(index, length) : bytes.nioBuffer(index, length));
  }

  /** Returns the checksum of all bytes since the start of the frame. */
  int value() {
    return (int) crc.getValue();
  }
}
