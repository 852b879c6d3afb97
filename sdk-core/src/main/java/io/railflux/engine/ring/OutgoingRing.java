package io.railflux.engine.ring;

import io.railflux.wire.FrameHeader;

/**
 * Positions in the ring that a peer granted (CH1): the written and the consumed bytes since the first ring of the
 * subchannel began. Absolute positions make credit idempotent (D6). Entries are contiguous; an entry that would cross the end starts
 * at the beginning, behind a padding frame.
 */
public final class OutgoingRing {

  private int size;
  private long written;
  private long consumed;

  // Position of the first entry of the present ring. Positions continue from ring to ring, so that
  // credit for the former ring is not mistaken for credit of this one.
  private long base;

  public OutgoingRing(int size) {
    this.size = size;
  }

  public int size() {
    return size;
  }

  public long written() {
    return written;
  }

  /** Whether the peer consumed all bytes before the position. */
  public boolean isConsumed(long position) {
    return consumed - position >= 0;
  }

  /** Bytes of the present ring that the peer has not consumed. */
  public int occupied() {
    return (int) (written - Math.max(base, consumed));
  }

  /** Returns the position of the first entry of the present ring. */
  long base() {
    return base;
  }

  /** Continues in another ring of {@code newSize} bytes, whose first entry has the next position. */
  void continueIn(int newSize) {
    size = newSize;
    base = written;
  }

  /** Whether an entry of {@code slotBytes} fits and leaves {@code reserve} free. */
  boolean hasRoom(int slotBytes, int reserve) {
    int contiguous = contiguous();
    int needed = slotBytes <= contiguous ? slotBytes : slotBytes + contiguous;
    return size - occupied() - reserve >= needed;
  }

  /** Bytes up to the end of the ring. */
  int contiguous() {
    return size - offset();
  }

  int offset() {
    return (int) (written - base) & size - 1;
  }

  void advance(int slotBytes) {
    written += slotBytes;
  }

  /** Advances the written position. */
  public void written(long position) {
    written = position;
  }

  /** Whether the credit is valid: it never decreases and never exceeds the written position. */
  public boolean isValidCredit(long position) {
    return position - consumed >= 0
        && written - position >= 0
        && position % FrameHeader.SLOT_BYTES == 0;
  }

  /** Returns whether the credit freed room. */
  public boolean credit(long position) {
    if (position == consumed) {
      return false;
    }
    consumed = position;
    return true;
  }
}
