package io.railflux.fabric.tcp.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes that arrive while a frame waits, in any number of pieces over TLS. */
class FrameReaderTest {

  private static final int FRAMES = 2_000;

  private final List<ByteBuf> pieces = new ArrayList<>();
  private boolean waits = true;
  private int headers;

  private final FrameReader.Sink sink = new FrameReader.Sink() {
    @Override
    public FrameReader.Next onHeader(ByteBuf header) {
      if (waits) {
        return FrameReader.Next.WAIT;
      }
      assertEquals(headers, header.getIntLE(header.readerIndex()), "in order");
      headers++;
      return FrameReader.Next.HEADER;
    }

    @Override
    public void onPayload() {}

    @Override
    public void onTargetClosed() {}

    @Override
    public void onCorrupted(String what) {
      throw new AssertionError(what);
    }
  };
  private final FrameReader reader = new FrameReader(sink, null);

  private void readInPieces() {
    ByteBuf all = Unpooled.buffer();
    for (int frame = 0; frame < FRAMES; frame++) {
      all.writeIntLE(frame).writeZero(TcpFrame.BYTES - Integer.BYTES);
    }
    while (all.isReadable()) {
      ByteBuf piece = Unpooled.directBuffer(1, 1).writeByte(all.readByte());
      pieces.add(piece);
      reader.read(piece);
    }
    assertTrue(reader.isWaiting());
  }

  private void assertReleased() {
    assertEquals(0, pieces.stream().filter(piece -> piece.refCnt() > 0).count());
  }

  @Test
  void isDeliveredInOrderAfterTheWait() {
    readInPieces();
    waits = false;
    reader.resume();

    assertEquals(FRAMES, headers);
    assertReleased();
  }

  @Test
  void isReleasedWhenTheConnectionEnds() {
    readInPieces();
    reader.close();

    assertReleased();
  }
}
