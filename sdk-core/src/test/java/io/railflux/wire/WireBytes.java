package io.railflux.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;

/** Bytes for tests: hex with comments, and rings and frames built field by field. */
public final class WireBytes {
  private WireBytes() {}

  /** Parses hex digits. Ignores white space, and everything from | to the end of a line. */
  public static String hex(String remarked) {
    return remarked.replaceAll("\\|[^\n]*", "").replaceAll("\\s", "");
  }

  public static byte[] bytes(String remarked) {
    return HexFormat.of().parseHex(hex(remarked));
  }

  public static ByteBuffer buffer(String remarked) {
    return ByteBuffer.wrap(bytes(remarked));
  }

  /** Returns a direct, aligned ring. It is big-endian, because the classes must not depend on the order. */
  public static ByteBuffer ring(int bytes) {
    ByteBuffer aligned = ByteBuffer.allocateDirect(bytes + 64).alignedSlice(64);
    return aligned.slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static String hexOf(ByteBuffer buffer, int offset, int bytes) {
    byte[] copy = new byte[bytes];
    buffer.get(offset, copy);
    return HexFormat.of().formatHex(copy);
  }

  /** Returns the bytes that {@code encode} writes. Fails unless their number is {@code encodedBytes}. */
  public static byte[] encoded(int encodedBytes, Consumer<ByteBuffer> encode) {
    ByteBuffer target = ByteBuffer.allocate(encodedBytes);
    encode.accept(target);
    if (target.hasRemaining()) {
      throw new AssertionError(target.remaining() + " bytes announced but not written");
    }
    return target.array();
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes and publishes a frame without extensions. Returns its length. */
  public static int frame(ByteBuffer ring, int offset, int type, int flags, byte[] body) {
    int headerBytes = FrameHeader.headerBytes(flags, 0);
    FrameHeader.put(ring, offset, 0x1112131415161718L, 0x2122232425262728L, 0x31323334L);
    ring.put(offset + headerBytes, body);
    int lengthBytes = headerBytes + body.length;
    FrameHeader.publish(ring, offset, FrameHeader.word(lengthBytes, type, flags, headerBytes));
    return lengthBytes;
  }

  /** Reads the frame at an offset of a ring. */
  public static Violation read(ReceivedFrame frame, ByteBuffer ring, int offset) {
    return frame.read(ring, offset, FrameHeader.peek(ring, offset), ring.capacity() - offset);
  }

  /** Returns the body of a received frame. */
  public static ByteBuffer body(ReceivedFrame frame) {
    return frame.buffer().slice(frame.bodyOffset(), frame.bodyBytes());
  }
}
