package io.railflux.fabric.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import io.railflux.buffer.MemorySource;
import io.railflux.fabric.tcp.frames.FrameReader;
import io.railflux.fabric.tcp.frames.ReusedBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The times at which a socket is read without polling the selector. */
class HotSocketTest {

  private static final long SOON_NANOS = 50_000;
  private static final long LATER_NANOS = 100_000;

  private final ReusedBuffers buffers = ReusedBuffers.ofBytes(1024, MemorySource.UNLIMITED);
  private FileDescriptor readEnd;
  private FileDescriptor writeEnd;
  private HotSocket socket;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Epoll.isAvailable(), "Netty's native transport is missing: no socket is hot");
    FileDescriptor[] pipe = FileDescriptor.pipe();
    readEnd = pipe[0];
    writeEnd = pipe[1];
    socket = new HotSocket(readEnd, buffers);
  }

  @AfterEach
  void close() throws IOException {
    buffers.close();
    if (readEnd != null) {
      readEnd.close();
      writeEnd.close();
    }
  }

  private void write(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(text.length());
    bytes.put(text.getBytes(US_ASCII));
    writeEnd.write(bytes, 0, text.length());
  }

  @Test
  void socketIsNotHotBeforeItsFirstBytes() {
    assertFalse(socket.isDue(0));
  }

  @Test
  void socketIsHotForATimeAfterAnAnswer() {
    socket.received(100, 0);
    assertTrue(socket.isDue(SOON_NANOS));
    assertFalse(socket.isDue(LATER_NANOS));
  }

  @Test
  void streamUsesTheSelector() {
    socket.received(FrameReader.DIRECT_BYTES + 1, 0);
    assertFalse(socket.isDue(1));
    socket.received(100, 2);
    assertTrue(socket.isDue(3));
  }

  @Test
  void selectorIsPolledAtIntervals() {
    socket.received(100, 0);
    for (int round = 0; round < 3; round++) {
      for (int turn = 0; turn < 16; turn++) {
        assertTrue(socket.isDue(1));
      }
      assertFalse(socket.isDue(1), "the selector is polled");
    }
  }

  @Test
  void readsAvailableBytes() throws IOException {
    write("answer");
    ByteBuf read = socket.read();
    assertEquals("answer", read.toString(US_ASCII));
    read.release();
  }

  @Test
  void selectorReportsTheEnd() throws IOException {
    socket.received(100, 0);
    writeEnd.close();
    assertNull(socket.read());
    assertFalse(socket.isDue(1));
  }
}
