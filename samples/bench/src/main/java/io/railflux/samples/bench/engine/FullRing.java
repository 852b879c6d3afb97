package io.railflux.samples.bench.engine;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.wire.BatchTable;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A ring full of frames from a peer, and its reader. */
final class FullRing {

  private static final int SIZE_BYTES = 64;
  private static final int FRAMES = 16;

  /** Size of a frame with {@link UnreadRing#MESSAGES} messages, so that the frames fill the ring. */
  private static final int FRAME_BYTES = 4 << 10;

  private static final int RING_BYTES = FRAMES * FRAME_BYTES;

  /** Number of messages in all frames. */
  static final int MESSAGES = FRAMES * UnreadRing.MESSAGES;

  private final ByteBuffer written = memory();
  private final ByteBuffer memory = memory();
  private final IncomingRing incoming = new IncomingRing(memory, RING_BYTES, false);

  FullRing() {
    for (int i = 0; i < FRAMES; i++) {
      write(i * FRAME_BYTES, i);
    }
  }

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(RING_BYTES + FrameHeader.SLOT_BYTES)
        .alignedSlice(FrameHeader.SLOT_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private void write(int offset, long psn) {
    FrameHeader.put(written, offset, psn, 1, psn * UnreadRing.MESSAGES);
    short[] lengths = new short[UnreadRing.MESSAGES];
    Arrays.fill(lengths, (short) SIZE_BYTES);
    int table = offset + FrameHeader.BYTES + UnreadRing.MESSAGES * SIZE_BYTES;
    int end = BatchTable.put(written, table, lengths, lengths.length);
    long word = FrameHeader.word(end - offset, FrameType.BATCH, 0, FrameHeader.BYTES);
    FrameHeader.publish(written, offset, word);
  }

  void fill() {
    memory.put(0, written, 0, RING_BYTES);
  }

  int poll(IncomingRing.FrameHandler handler) {
    int count;
    try {
      count = incoming.poll(handler, MESSAGES);
    } catch (ProtocolViolation e) {
      throw new IllegalStateException(e);
    }
    if (count != MESSAGES) {
      throw new IllegalStateException(count + " messages were found");
    }
    return count;
  }
}
