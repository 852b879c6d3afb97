package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is handed to the kernel in one call. */
class FrameWriterTest {

  private static final int CHUNK_BYTES = 256 * 1024;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ReusedBuffers buffers = ReusedBuffers.ofBytes(64 * 1024);
  private final FrameWriter writer = new FrameWriter(channel, buffers, false);
  private final TcpLocalMemory memory = new TcpLocalMemory(ByteBuffer.allocateDirect(CHUNK_BYTES));

  FrameWriterTest() {
    channel.config().setWriteBufferWaterMark(TcpFabric.UNSENT);
  }

  @AfterEach
  void close() {
    writer.close();
    channel.flushOutbound();
    channel.finishAndReleaseAll();
    buffers.close();
  }

  private void put(int bytes) {
    ByteBuf header = writer.header();
    header.writeZero(TcpFrame.BYTES);
    writer.payload(memory, 0, bytes);
  }

  @Test
  void aMiBLeavesRoomForWhatBelongsBehindIt() {
    for (int i = 0; i < 4; i++) {
      put(CHUNK_BYTES);
    }
    assertTrue(writer.isWritable());
  }

  @Test
  void littleMoreThanAMiBPilesUp() {
    for (int i = 0; i < 5; i++) {
      put(CHUNK_BYTES);
    }
    assertFalse(writer.isWritable());
  }
}
