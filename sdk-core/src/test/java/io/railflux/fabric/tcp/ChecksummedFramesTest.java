package io.railflux.fabric.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.railflux.buffer.MemorySource;
import io.railflux.fabric.tcp.frames.FrameChecksum;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.FrameWriter;
import io.railflux.fabric.tcp.frames.ReusedBuffers;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames with checksums: their bytes, and the reaction of a reader to a changed byte. */
class ChecksummedFramesTest {

  private static final long KEY = 0x1122334455667788L;
  private static final int LARGE_BYTES = 150_000;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ReusedBuffers buffers = ReusedBuffers.ofBytes(64 * 1024, MemorySource.UNLIMITED);
  private final FrameWriter writer = new FrameWriter(channel, buffers, false, new FrameChecksum());
  private final TcpLocalMemory source = memory(LARGE_BYTES);
  private final TcpLocalMemory target = memory(LARGE_BYTES);

  ChecksummedFramesTest() {
    for (int i = 0; i < LARGE_BYTES; i++) {
      source.memory().put(i, (byte) (i * 31 + 7));
    }
  }

  private static TcpLocalMemory memory(int bytes) {
    return new TcpLocalMemory(ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @AfterEach
  void close() {
    writer.close();
    channel.finishAndReleaseAll();
    buffers.close();
  }

  private void write(int bytes) {
    writer.header(TcpFrame.WRITE, TcpFrame.SIGNALED, bytes, 5, KEY, 64, 9);
    writer.payload(source, 0, bytes);
  }

  private byte[] written() {
    writer.flush();
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
      all.writeBytes(piece);
      piece.release();
    }
    return ByteBufUtil.getBytes(all);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void writeHasAHeaderChecksumAndATotalChecksum() {
    write(9);

    assertEquals(
        "0201000009000000050000000000000088776655443322114000000009000000" + "c65ab76e"
            + "0726456483a2c1e0ff" + "2b4026ae",
        hex(written()));
  }

  @Test
  void acknowledgementHasAHeaderChecksum() {
    writer.header(TcpFrame.ACK, 0, 0, 3, 0, 0, 0);

    assertEquals(
        "0800000000000000030000000000000000000000000000000000000000000000" + "60f777a9",
        hex(written()));
  }

  @Test
  void valuesOfAtomicsHaveAChecksum() {
    writer.header(TcpFrame.FETCH_ADD, 0, TcpFrame.ATOMIC_BYTES, 0, KEY, 0, 0);
    writer.operands(1, 2);

    assertEquals(
        "0500000010000000000000000000000088776655443322110000000000000000" + "89b9ce6a"
            + "01000000000000000200000000000000" + "59f4ff53",
        hex(written()));
  }

  @Test
  void replyInPiecesHasAChecksumAfterTheLastPiece() {
    writer.header(TcpFrame.REPLY, 0, LARGE_BYTES, 1, 0, 0, 0);
    int copied = 0;
    while (copied < LARGE_BYTES) {
      copied += writer.copy(source, copied, LARGE_BYTES - copied);
    }
    byte[] inPieces = written();

    Reading reading = new Reading(target);
    reading.feed(inPieces, 1_000);

    assertEquals(1, reading.payloads);
    assertNull(reading.corrupted);
    assertEquals(source.memory(), target.memory());
  }

  @Test
  void preambleWithOptionsHasAChecksum() {
    ByteBuf asking = Unpooled.buffer();
    TcpPreamble.putWithOptions(asking, true);
    ByteBuf silent = Unpooled.buffer();
    TcpPreamble.putWithOptions(silent, false);

    assertEquals("524654430100020001000000" + "53d9fc2e", ByteBufUtil.hexDump(asking));
    assertEquals("524654430100020000000000" + "eb73b9f3", ByteBufUtil.hexDump(silent));
    assertTrue(TcpPreamble.isIntact(asking) && TcpPreamble.asksForChecksums(asking));
    assertTrue(TcpPreamble.isIntact(silent) && !TcpPreamble.asksForChecksums(silent));
    for (int at = 0; at < TcpPreamble.WITH_OPTIONS_BYTES; at++) {
      asking.setByte(at, asking.getByte(at) ^ 4);
      assertFalse(TcpPreamble.isIntact(asking), "byte " + at);
      asking.setByte(at, asking.getByte(at) ^ 4);
    }
  }

  /** The check value of the reference: "123456789". */
  @Test
  void isCrc32C() {
    ByteBuf digits = Unpooled.copiedBuffer("123456789", US_ASCII);

    assertEquals(0xE3069283, FrameChecksum.of(digits, 0, 9));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 36, 41, 1_000, 100_000})
  void framesArriveInAnyPieces(int pieceBytes) {
    int[] sizes = {0, 1, 7, 8, 9, 64, 4_096, FrameReader.DIRECT_BYTES - 1, LARGE_BYTES, 0, 5};
    for (int size : sizes) {
      write(size);
    }
    Reading reading = new Reading(target);

    reading.feed(written(), pieceBytes);

    assertNull(reading.corrupted);
    assertEquals(sizes.length, reading.payloads);
    assertEquals(source.memory(), target.memory());
  }

  /**
   * Changes every byte of a short frame in turn. The reader detects the change before the frame takes effect, for
   * pieces of any size.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 36, 50, 1_000})
  void detectsAChangeOfAnyByteOfAShortFrame(int pieceBytes) {
    write(40);
    write(100);
    write(8);
    byte[] right = written();
    int second = TcpFrame.BYTES + 40 + 2 * FrameChecksum.BYTES;
    int third = second + TcpFrame.BYTES + 100 + 2 * FrameChecksum.BYTES;
    for (int at = second; at < third; at++) {
      byte[] changed = right.clone();
      changed[at] ^= (byte) (1 + at % 255);
      TcpLocalMemory fresh = memory(LARGE_BYTES);
      Reading reading = new Reading(fresh);

      reading.feed(changed, pieceBytes);

      String expected =
          at < second + TcpFrame.BYTES + FrameChecksum.BYTES ? "a header" : "a payload";
      assertEquals(expected, reading.corrupted, "byte " + at);
      assertEquals(1, reading.payloads, "byte " + at);
      assertArrayEquals(bytes(source, 40), bytes(fresh, 40), "byte " + at);
      assertArrayEquals(new byte[60], bytes(fresh, 100, 40), "byte " + at);
    }
  }

  /** The first word remains unchanged, because readers of a ring poll it. */
  @ParameterizedTest
  @ValueSource(ints = {5, 4_000, 1 << 20})
  void changedLargePayloadIsNeverReported(int pieceBytes) {
    write(LARGE_BYTES);
    byte[] right = written();
    for (int at = 0; at < right.length; at += at < 64 ? 1 : 997) {
      byte[] changed = right.clone();
      changed[at] ^= 0x10;
      TcpLocalMemory fresh = memory(LARGE_BYTES);
      Reading reading = new Reading(fresh);

      reading.feed(changed, pieceBytes);

      assertTrue(reading.corrupted != null, "byte " + at);
      assertEquals(0, reading.payloads, "byte " + at);
      assertArrayEquals(new byte[Long.BYTES], bytes(fresh, Long.BYTES), "byte " + at);
    }
  }

  private static byte[] bytes(TcpLocalMemory memory, int count) {
    return bytes(memory, count, 0);
  }

  private static byte[] bytes(TcpLocalMemory memory, int end, int from) {
    byte[] copy = new byte[end - from];
    memory.memory().get(from, copy);
    return copy;
  }

  /** Places every payload at the beginning of one memory, and verifies the callbacks. */
  private static final class Reading implements FrameReader.Sink {

    private final TcpLocalMemory into;
    private final FrameReader reader = new FrameReader(this, new FrameChecksum());
    private final List<Integer> lengths = new ArrayList<>();
    private int payloads;
    private String corrupted;

    Reading(TcpLocalMemory into) {
      this.into = into;
    }

    void feed(byte[] all, int pieceBytes) {
      for (int at = 0; at < all.length; at += pieceBytes) {
        int count = Math.min(pieceBytes, all.length - at);
        reader.read(Unpooled.copiedBuffer(all, at, count));
      }
      reader.close();
    }

    @Override
    public FrameReader.Next onHeader(ByteBuf header) {
      lengths.add(TcpFrame.length(header));
      reader.expect(into, 0, TcpFrame.length(header));
      return FrameReader.Next.PAYLOAD;
    }

    @Override
    public void onPayload() {
      payloads++;
    }

    @Override
    public void onTargetClosed() {
      throw new AssertionError("never closed here");
    }

    @Override
    public void onCorrupted(String what) {
      corrupted = what;
    }
  }
}
