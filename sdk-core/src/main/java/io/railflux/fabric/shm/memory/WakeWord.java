package io.railflux.fabric.shm.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A word by which one side requests one doorbell.
 *
 * <p>Both sides follow Dekker's algorithm:
 *
 * <pre>
 *   waiting side               ringing side
 *   word = 1                   publish
 *   full fence                 full fence
 *   poll for work; sleep       if word is 1 and CAS 1 -> 0: ring
 * </pre>
 *
 * <p>The two fences are totally ordered. If the fence of the waiting side comes first, the ringing side sees 1 and
 * rings. If it comes second, the poll sees the published work. In both cases no side sleeps with pending work.
 * Acquire and release alone would permit both loads before both stores.
 *
 * <p>The CAS merges rings: the side that takes the 1 rings; others find 0.
 */
public final class WakeWord {

  private final ByteBuffer memory;
  private final int offset;
  private int asked;

  public WakeWord(ByteBuffer memory, int offset) {
    this.memory = memory;
    this.offset = offset;
  }

  /** The caller issues a full fence before it polls for work; one fence serves many words. */
  public void set() {
    asked++;
    Words.INTS.setOpaque(memory, offset, 1);
  }

  /** Returns the number of requests; an honest peer rings at most as often. May wrap. */
  public int asked() {
    return asked;
  }

  /** Needs no order: a late store costs at most one needless doorbell. */
  public void clear() {
    Words.INTS.setOpaque(memory, offset, 0);
  }

  /** Whether the caller must ring. The peer then sees all earlier writes of the caller. */
  public boolean claim() {
    VarHandle.fullFence();
    return (int) Words.INTS.getOpaque(memory, offset) == 1
        && Words.INTS.compareAndSet(memory, offset, 1, 0);
  }
}
