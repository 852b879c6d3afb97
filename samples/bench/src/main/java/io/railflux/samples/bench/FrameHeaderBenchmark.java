package io.railflux.samples.bench;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Writes the header of a frame, and copies and validates it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FrameHeaderBenchmark {

  private static final int RING_BYTES = 1 << 16;
  private static final int FRAME_BYTES = 128;
  private static final int BODY_BYTES = 32;

  /** The extensions: none, or a deadline and piggybacked credit. */
  @Param({"none", "all"})
  public String extensions;

  private final ByteBuffer ring = ByteBuffer.allocateDirect(RING_BYTES + FRAME_BYTES)
      .alignedSlice(FrameHeader.SLOT_BYTES)
      .order(ByteOrder.LITTLE_ENDIAN);
  private final ReceivedFrame frame = new ReceivedFrame();
  private int flags;
  private int headerBytes;
  private long number;

  @Setup
  public void fill() {
    flags = extensions.equals("none") ? 0 : FrameFlags.PIGGYBACK | FrameFlags.TIME_TO_LIVE;
    headerBytes = FrameHeader.headerBytes(flags, 0);
    for (int i = 0; i < RING_BYTES / FRAME_BYTES; i++) {
      publish();
    }
  }

  private int next() {
    return (int) (number++ * FRAME_BYTES) & RING_BYTES - 1;
  }

  @Benchmark
  public long publish() {
    int offset = next();
    FrameHeader.put(ring, offset, number, 7, number);
    FrameHeader.putExtensions(ring, offset, flags, number, number, number, null);
    long word = FrameHeader.word(headerBytes + BODY_BYTES, FrameType.DATA, flags, headerBytes);
    FrameHeader.publish(ring, offset, word);
    return word;
  }

  @Benchmark
  public long parse() {
    int offset = next();
    long word = FrameHeader.peek(ring, offset);
    if (frame.read(ring, offset, word, FRAME_BYTES) != null) {
      throw new IllegalStateException("the frame is valid");
    }
    return frame.psn() + frame.creditPosition();
  }
}
