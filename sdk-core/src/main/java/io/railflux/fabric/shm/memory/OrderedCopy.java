package io.railflux.fabric.shm.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Copies into memory that another process polls, so that it becomes visible in address order.
 *
 * <p>A bulk copy guarantees no order: stubs of the JVM copy tails first at some lengths, and use weakly ordered
 * stores for long ranges. The copy therefore proceeds by cache lines with a release fence after each, which on x86
 * costs only the loop, and stores the last word separately: a poller reads the end of a line or of the write. Ranges
 * beyond the eager limit are announced by later writes and not polled; they are copied by pages, at the speed of a
 * plain copy.
 */
public final class OrderedCopy {

  public static final int LONG_RANGE_BYTES = 256 * 1024;
  private static final int LINE_BYTES = 64;
  private static final int PAGE_BYTES = 4096;

  private OrderedCopy() {}

  /**
   * Copies bytes so that the peer sees them in the order of their addresses.
   *
   * @param to direct, its base aligned to a cache line
   */
  public static void copy(
      ByteBuffer from, int fromOffset, ByteBuffer to, int toOffset, int length) {
    if (length == 0) {
      return;
    }
    int end = toOffset + length;
    int shift = fromOffset - toOffset;
    int lastWord = Math.max(toOffset, (end - 1) & -Long.BYTES);
    int step = length > LONG_RANGE_BYTES ? PAGE_BYTES : LINE_BYTES;
    int at = toOffset;
    while (at < lastWord) {
      int next = Math.min((at & -step) + step, lastWord);
      to.put(at, from, at + shift, next - at);
      VarHandle.releaseFence();
      at = next;
    }
    copyWord(from, shift, to, at, end);
  }

  private static void copyWord(ByteBuffer from, int shift, ByteBuffer to, int start, int end) {
    if (end - start == Long.BYTES) {
      Words.LONGS.setRelease(to, start, (long) Words.LONGS.get(from, start + shift));
      return;
    }
    for (int at = start; at < end; at++) {
      to.put(at, from.get(at + shift));
      VarHandle.releaseFence();
    }
  }
}
