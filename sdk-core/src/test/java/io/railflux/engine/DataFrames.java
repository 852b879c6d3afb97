package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.wire.BatchTable;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;

/** Messages of a stream of numbers as they lie in a ring, one per ring. */
public final class DataFrames {

  private DataFrames() {}

  /** Returns a message that contains its number. A time to live of 0 is unbounded. */
  public static ReceivedFrame of(long seq, long timeToLiveNanos) {
    int flags = timeToLiveNanos > 0 ? FrameFlags.TIME_TO_LIVE : 0;
    int headerBytes = FrameHeader.headerBytes(flags, 0);
    ByteBuffer ring = RingMemory.of(128);
    FrameHeader.put(ring, 0, seq, 1, seq);
    FrameHeader.putExtensions(ring, 0, flags, 0, 0, timeToLiveNanos, null);
    ring.putLong(headerBytes, seq);
    ReceivedFrame frame = new ReceivedFrame();
    long word = FrameHeader.word(headerBytes + Long.BYTES, FrameType.DATA, flags, headerBytes);
    assertNull(frame.read(ring, 0, word, 128));
    return frame;
  }

  /** Returns a batch with one message per value. {@code seq} is the number of the first one. */
  public static ReceivedFrame batch(long seq, long... values) {
    ByteBuffer ring = RingMemory.of(256);
    FrameHeader.put(ring, 0, seq, 1, seq);
    int at = FrameHeader.BYTES;
    short[] lengths = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      ring.putLong(at, values[i]);
      at += Long.BYTES;
      lengths[i] = Long.BYTES;
    }
    int length = BatchTable.put(ring, at, lengths, values.length);
    ReceivedFrame frame = new ReceivedFrame();
    long word = FrameHeader.word(length, FrameType.BATCH, 0, FrameHeader.BYTES);
    assertNull(frame.read(ring, 0, word, 256));
    return frame;
  }

  public static ReceivedFrame of(long seq) {
    return of(seq, 0);
  }
}
