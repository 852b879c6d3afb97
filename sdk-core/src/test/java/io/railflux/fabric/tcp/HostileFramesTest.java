package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.railflux.fabric.tcp.frames.FrameWriter;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid frames end their connection with a specific error and change nothing. */
class HostileFramesTest {

  private static final int SIZE = HostileEndpoint.REGION_BYTES;
  private static final long KEY = HostileEndpoint.KEY;

  static Stream<Arguments> brokenFrames() {
    return Stream.of(
        broken("an unknown type", 77, 0, 0, KEY, 0, "unknown"),
        broken("a length beyond 2 GiB", TcpFrame.WRITE, -1, 0, KEY, 0, "beyond 2 GiB"),
        broken("an acknowledgement of more than was sent", TcpFrame.ACK, 0, 2, 0, 0, "of 1"),
        broken("an acknowledged read without a reply", TcpFrame.ACK, 0, 1, 0, 0, "without a reply"),
        broken("a reply of another length", TcpFrame.REPLY, 8, 1, 0, 0, "without a request"),
        broken("a reply to a later request", TcpFrame.REPLY, 32, 2, 0, 0, "without a reply"),
        broken("a rejection of an unsent request", TcpFrame.REFUSED, 0, 0, 9, 0, "not open"),
        broken("a write with an unknown key", TcpFrame.WRITE, 8, 0, 8, 0, "exposed"),
        broken("a write across the end", TcpFrame.WRITE, 64, 0, KEY, SIZE - 8, "exposed"),
        broken("a write before the beginning", TcpFrame.WRITE, 8, 0, KEY, -8, "exposed"),
        broken(
            "a write whose end overflows", TcpFrame.WRITE, 8, 0, KEY, Integer.MAX_VALUE, "exposed"),
        broken("a read across the end", TcpFrame.READ, SIZE + 1, 0, KEY, 0, "exposed"),
        broken("an atomic that is not aligned", TcpFrame.FETCH_ADD, 16, 0, KEY, 4, "exposed"),
        broken("an atomic of another length", TcpFrame.COMPARE_SWAP, 8, 0, KEY, 0, "exposed"),
        broken("a message that is too long", TcpFrame.SEND, 65, 0, 0, 0, "did not fit"));
  }

  private static Arguments broken(
      String name, int type, int length, long taken, long key, int offset, String error) {
    return Arguments.of(name, HostileEndpoint.frame(type, length, taken, key, offset, 128), error);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenFrames")
  void endTheConnection(String name, ByteBuf frame, String error) {
    for (int piece : new int[] {1, 7, 4096}) {
      try (HostileEndpoint hostile = new HostileEndpoint()) {
        hostile.feed(frame.copy(), piece);

        assertFalse(hostile.isReady());
        assertTrue(hostile.failure().contains(error), hostile.failure());
        assertTrue(hostile.keptToItsRegion());
      }
    }
  }

  @Test
  void readsBeyondTheLimitEndTheConnection() {
    ByteBuf flood = Unpooled.buffer();
    for (int i = 0; i <= Replies.MAX_OPEN; i++) {
      flood.writeBytes(HostileEndpoint.frame(TcpFrame.READ, 8, 0, KEY, 0, 0));
    }
    try (HostileEndpoint hostile = new HostileEndpoint()) {
      hostile.feed(flood, flood.readableBytes());

      assertTrue(hostile.failure().contains("reads open"), hostile.failure());
    }
  }

  @Test
  void unreadAcknowledgementsAreBounded() {
    try (HostileEndpoint hostile = new HostileEndpoint()) {
      hostile.readNothing();
      ByteBuf writes = Unpooled.buffer();
      for (int i = 0; i < 4_000; i++) {
        writes.writeBytes(HostileEndpoint.frame(TcpFrame.WRITE, 0, 0, KEY, 0, 0));
      }
      hostile.feed(writes, 2 * TcpFrame.BYTES);

      assertTrue(hostile.isReady());
      assertTrue(
          hostile.unsentBuffers() <= FrameWriter.MAX_UNSENT + 1,
          hostile.unsentBuffers() + " buffers");
    }
  }

  @Test
  void partialAtomicChangesNothingInAClosedRegion() {
    ByteBuf add = HostileEndpoint.frame(TcpFrame.FETCH_ADD, 16, 0, KEY, 16, 0);
    add.writeLongLE(1).writeLongLE(0);
    try (HostileEndpoint hostile = new HostileEndpoint()) {
      long former = hostile.regionWord(16);
      hostile.feed(add.copy(0, add.readableBytes() - 1), 4096);
      hostile.closeRegion();
      hostile.feed(add.copy(add.readableBytes() - 1, 1), 1);

      assertEquals(former, hostile.regionWord(16));
      assertTrue(hostile.failure().contains("closed"), hostile.failure());
    }
  }

  @Test
  void fencedEndpointIsDisconnectedWithoutWaitingForTls() {
    try (HostileEndpoint hostile = new HostileEndpoint()) {
      hostile.holdBackCloses();
      assertTrue(hostile.isConnected());
      hostile.endpoint.fence("suspected");

      assertFalse(hostile.isConnected());
    }
  }

  @Test
  void firstWordOfAWriteInPiecesIsVisibleAfterItsLastByte() {
    ByteBuf write = HostileEndpoint.frame(TcpFrame.WRITE, 24, 0, KEY, 16, 0);
    write.writeLongLE(4711).writeLongLE(4712).writeLongLE(4713);
    for (int piece : new int[] {1, 5, 31, 33, 41, 4096}) {
      try (HostileEndpoint hostile = new HostileEndpoint()) {
        long former = hostile.regionWord(16);
        hostile.feed(write.copy(0, write.readableBytes() - 1), piece);
        assertEquals(former, hostile.regionWord(16));
        assertEquals(4712, hostile.regionWord(24));

        hostile.feed(write.copy(write.readableBytes() - 1, 1), 1);
        assertEquals(4711, hostile.regionWord(16));
        assertEquals(4713, hostile.regionWord(32));
      }
    }
  }

  @Test
  void writeBelowAWordArrivesInAnyPieces() {
    ByteBuf write = HostileEndpoint.frame(TcpFrame.WRITE, 5, 0, KEY, 16, 0);
    write.writeBytes(new byte[] {1, 2, 3, 4, 5});
    for (int piece : new int[] {1, 3, 33, 4096}) {
      try (HostileEndpoint hostile = new HostileEndpoint()) {
        hostile.feed(write.copy(), piece);

        assertEquals(0x5555550504030201L, hostile.regionWord(16));
      }
    }
  }

  @Test
  void validFramesArriveInAnyPieces() {
    ByteBuf frames = Unpooled.buffer();
    ByteBuf write = HostileEndpoint.frame(TcpFrame.WRITE, 8, 0, KEY, 16, 0).writeLongLE(4711);
    frames.writeBytes(write);
    frames.writeBytes(HostileEndpoint.frame(TcpFrame.SEND, 64, 0, 0, 0, 64));
    frames.writeBytes(HostileEndpoint.frame(TcpFrame.REPLY, 32, 1, 0, 0, 32));
    frames.writeBytes(HostileEndpoint.frame(TcpFrame.WRITE, 0, 1, KEY, SIZE, 0));
    for (int piece : new int[] {1, 5, 31, 33, 4096}) {
      try (HostileEndpoint hostile = new HostileEndpoint()) {
        hostile.feed(frames.copy(), piece);

        assertTrue(hostile.isReady(), hostile::failure);
        assertEquals(4711, hostile.regionWord(16));
        assertEquals(1, hostile.callbacks.receives().size());
        assertEquals(1, hostile.callbacks.requests().size());
      }
    }
  }
}
