package io.railflux.engine;

import io.railflux.wire.FrameHeader;

/**
 * Positions in the ring a peer granted (CH1): how far this side wrote and how far the peer consumed,
 * both in bytes since the ring began, so that credit is idempotent (D6). Entries are contiguous; an
 * entry that would cross the end begins at the start again, behind a padding frame.
 */
final class OutgoingRing {

  private final int size;
  private long written;
  private long consumed;

  OutgoingRing(int size) {
    this.size = size;
  }

  int size() {
    return size;
  }

  long written() {
    return written;
  }

  /** Whether the peer consumed all that was written up to there. */
  boolean isConsumed(long position) {
    return consumed - position >= 0;
  }

  int occupied() {
    return (int) (written - consumed);
  }

  /** Room for an entry of that many slot bytes, leaving {@code reserve} free. */
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
    return (int) written & size - 1;
  }

  void advance(int slotBytes) {
    written += slotBytes;
  }

  /** As advancing there. */
  void written(long position) {
    written = position;
  }

  /** Whether the peer may say so: credit never goes back nor past what was written. */
  boolean isValidCredit(long position) {
    return position - consumed >= 0
        && written - position >= 0
        && position % FrameHeader.SLOT_BYTES == 0;
  }

  /** Returns whether room came back. */
  boolean credit(long position) {
    if (position == consumed) {
      return false;
    }
    consumed = position;
    return true;
  }
}
