package io.railflux.engine;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;

/** Frames with the same number in header and body, which detects a torn frame. */
final class NumberedFrames {

  private NumberedFrames() {}

  static void publish(MappedRingWriter writer, long number) {
    int offset = writer.place(FrameHeader.SLOT_BYTES);
    FrameHeader.put(writer.mapped(), offset, number, 1, 0);
    writer.mapped().putLong(offset + FrameHeader.BYTES, number);
    int length = FrameHeader.BYTES + Long.BYTES;
    long word = FrameHeader.word(length, FrameType.DATA, 0, FrameHeader.BYTES);
    writer.publish(writer.mapped(), offset, word);
  }

  /** Returns the number of the next frame, 0 if there is none, or -1 if it is torn. */
  static long next(IncomingRing ring) {
    long[] number = new long[1];
    try {
      ring.poll(
          frame -> {
            long body = frame.buffer().getLong(frame.bodyOffset());
            number[0] = body == frame.psn() ? body : -1;
            return true;
          },
          1);
    } catch (ProtocolViolation e) {
      throw new AssertionError(e);
    }
    return number[0];
  }
}
