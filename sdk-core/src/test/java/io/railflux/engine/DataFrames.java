package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;

/** Messages of a stream of numbers as they lie in a ring, each alone in its own. */
final class DataFrames {

  private DataFrames() {}

  /** The message of that number, which says its number; 0 lives without bound. */
  static ReceivedFrame of(long seq, long timeToLiveNanos) {
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

  static ReceivedFrame of(long seq) {
    return of(seq, 0);
  }
}
