package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Writing and reading a frame is part of the hot path and allocates nothing. */
class AllocationTest {
  private static final int FRAMES = 20_000;

  private final ByteBuffer ring = WireBytes.ring(256);
  private final ByteBuffer metadata = ByteBuffer.allocate(9);
  private final ReceivedFrame frame = new ReceivedFrame();

  @Test
  void framesAreWrittenAndReadWithoutAllocation() {
    exchange(FRAMES);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    exchange(FRAMES);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertTrue(allocated < FRAMES, allocated + " bytes for " + FRAMES + " frames");
  }

  private void exchange(int frames) {
    int flags = 0x0F;
    int headerBytes = FrameHeader.headerBytes(flags, metadata.remaining());
    for (int i = 0; i < frames; i++) {
      FrameHeader.put(ring, 64, i, 1, i);
      FrameHeader.putExtensions(ring, 64, flags, i, i, 1, metadata);
      long word = FrameHeader.word(headerBytes + 8, FrameType.DATA, flags, headerBytes);
      FrameHeader.publish(ring, 64, word);
      assertNull(frame.read(ring, 64, FrameHeader.peek(ring, 64), 192));
      FrameHeader.clearHeads(ring, 64, FrameHeader.slotBytes(frame.lengthBytes()));
    }
  }
}
