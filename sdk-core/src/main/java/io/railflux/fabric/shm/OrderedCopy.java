package io.railflux.fabric.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Copies into memory that another process is polling, so that it becomes visible in address order.
 *
 * <p>A bulk copy promises no order inside: the JVM's stubs copy tails first at some lengths, and
 * use weakly ordered stores for long ranges. Hence the copy goes line by line with a release fence
 * after each, which on x86 costs only the loop, and the last line, where a poller looks, word by
 * word with release stores. Ranges beyond the eager limit are announced by something written later,
 * nobody polls inside them: they go page by page, at the speed of a plain copy.
 */
final class OrderedCopy {

  static final int LINE_BYTES = 64;
  static final int LONG_RANGE_BYTES = 256 * 1024;
  private static final int PAGE_BYTES = 4096;

  private OrderedCopy() {}

  /**
   * @param to direct, its base aligned to a cache line
   */
  static void copy(ByteBuffer from, int fromOffset, ByteBuffer to, int toOffset, int length) {
    if (length == 0) {
      return;
    }
    int end = toOffset + length;
    int shift = fromOffset - toOffset;
    int lastLine = Math.max(toOffset, (end - 1) & -LINE_BYTES);
    int step = length > LONG_RANGE_BYTES ? PAGE_BYTES : LINE_BYTES;
    int at = toOffset;
    while (at < lastLine) {
      int next = Math.min((at & -step) + step, lastLine);
      to.put(at, from, at + shift, next - at);
      VarHandle.releaseFence();
      at = next;
    }
    copyWords(from, shift, to, at, end);
  }

  private static void copyWords(ByteBuffer from, int shift, ByteBuffer to, int start, int end) {
    int at = start;
    while (at < end) {
      if ((at & 7) == 0 && end - at >= Long.BYTES) {
        Words.LONGS.setRelease(to, at, (long) Words.LONGS.get(from, at + shift));
        at += Long.BYTES;
      } else {
        VarHandle.releaseFence();
        to.put(at, from.get(at + shift));
        at++;
      }
    }
  }
}
