package io.railflux.fabric.tcp.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.railflux.buffer.MemorySource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bytes that one call passes to the kernel. */
class FrameWriterTest {

  private static final int CHUNK_BYTES = 256 * 1024;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ReusedBuffers buffers = ReusedBuffers.ofBytes(64 * 1024, MemorySource.UNLIMITED);
  private final FrameWriter writer = new FrameWriter(channel, buffers, false, null);
  private final TcpLocalMemory memory = new TcpLocalMemory(ByteBuffer.allocateDirect(CHUNK_BYTES));

  FrameWriterTest() {
    channel.config().setWriteBufferWaterMark(FrameWriter.UNSENT);
  }

  @AfterEach
  void close() {
    writer.close();
    channel.flushOutbound();
    channel.finishAndReleaseAll();
    buffers.close();
  }

  private void put(int bytes) {
    writer.header(TcpFrame.WRITE, 0, bytes, 0, 0, 0, 0);
    writer.payload(memory, 0, bytes);
  }

  @Test
  void writeOfAMiBLeavesSpaceForItsTrailer() {
    for (int i = 0; i < 4; i++) {
      put(CHUNK_BYTES);
    }
    assertTrue(writer.isWritable());
  }

  /** There may be no memory for a second buffer, and the engine thread must not wait for it. */
  @Test
  void frameWithChecksumsUsesOneBuffer() {
    List<ByteBuf> made = new ArrayList<>();
    ReusedBuffers counted = new ReusedBuffers(
        64 * 1024,
        () -> {
          made.add(Unpooled.directBuffer(64 * 1024, 64 * 1024));
          return made.get(made.size() - 1);
        },
        MemorySource.UNLIMITED);
    FrameWriter checked = new FrameWriter(channel, counted, false, new FrameChecksum());
    for (int i = 0; i < 3; i++) {
      checked.header(TcpFrame.WRITE, 0, CHUNK_BYTES, 0, 0, 0, 0);
      checked.payload(memory, 0, CHUNK_BYTES);
    }
    checked.flush();
    assertEquals(1, made.size());

    channel.flushOutbound();
    int bytes = 0;
    for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
      bytes += piece.readableBytes();
      piece.release();
    }
    assertEquals(3 * (TcpFrame.BYTES + CHUNK_BYTES + 2 * FrameChecksum.BYTES), bytes);
    assertEquals(1, made.get(0).refCnt(), "released");
    checked.close();
    counted.close();
  }

  @Test
  void queuesLittleMoreThanAMiB() {
    for (int i = 0; i < 5; i++) {
      put(CHUNK_BYTES);
    }
    assertFalse(writer.isWritable());
  }
}
