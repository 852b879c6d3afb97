package io.railflux.fabric.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A word by which one side asks to be rung once.
 *
 * <p>Both sides follow the pattern of Dekker's algorithm:
 *
 * <pre>
 *   waiting side               ringing side
 *   word = 1                   publish
 *   full fence                 full fence
 *   look for work; sleep       if word is 1 and CAS 1 -> 0: ring
 * </pre>
 *
 * <p>The two fences are totally ordered. If the waiting side's comes first, the ringing side sees 1
 * and rings; if it comes second, the look for work sees what was published. Either way nobody
 * sleeps over work. Acquire and release alone would let both loads run ahead of both stores.
 *
 * <p>The CAS makes one ring of many: whoever takes the 1 rings, later ones find 0.
 */
final class WakeWord {

  private final ByteBuffer memory;
  private final int offset;
  private int asked;

  WakeWord(ByteBuffer memory, int offset) {
    this.memory = memory;
    this.offset = offset;
  }

  /** The caller issues a full fence before it looks for work; one fence serves many words. */
  void set() {
    asked++;
    Words.INTS.setOpaque(memory, offset, 1);
  }

  /** How often this side asked: an honest peer rings at most as often. May wrap. */
  int asked() {
    return asked;
  }

  /** Needs no order: the worst that a late clearing costs is one needless ring. */
  void clear() {
    Words.INTS.setOpaque(memory, offset, 0);
  }

  /** Whether the caller has to ring. Everything it wrote before is visible to whom it rings. */
  boolean claim() {
    VarHandle.fullFence();
    return (int) Words.INTS.getOpaque(memory, offset) == 1
        && Words.INTS.compareAndSet(memory, offset, 1, 0);
  }
}
