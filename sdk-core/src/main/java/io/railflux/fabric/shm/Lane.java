package io.railflux.fabric.shm;

import java.nio.ByteBuffer;

/**
 * One direction of a link: the words and bytes that its producer and its consumer share.
 *
 * <p>Every word may be scribbled over by the other process at any time. Readers get a copy and
 * judge that; nothing here is trusted.
 */
final class Lane {

  static final int OPEN = 0;
  static final int CLOSED = 1;
  static final int FENCED = 2;

  private final ByteBuffer memory;
  private final int control;
  private final int mailbox;

  /**
   * @param memory the whole link file, little-endian
   * @param number 0 from the connecting to the accepting side, 1 back
   */
  Lane(ByteBuffer memory, int number) {
    this.memory = memory;
    this.control = LinkLayout.CONTROL_OFFSET + number * LinkLayout.CONTROL_BYTES;
    this.mailbox = LinkLayout.MAILBOX_OFFSET + number * LinkLayout.MAILBOX_BYTES;
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Offset of the mailbox within {@link #memory()}. */
  int mailbox() {
    return mailbox;
  }

  /** Acquire: entries before the position are seen by whoever has seen the position. */
  long tail() {
    return (long) Words.LONGS.getAcquire(memory, control + LinkLayout.TAIL);
  }

  /** Release: publishes everything written before, in the mailbox and in mapped regions. */
  void publishTail(long tail) {
    Words.LONGS.setRelease(memory, control + LinkLayout.TAIL, tail);
  }

  /** Acquire: room before the position is really free, its reads are over. */
  long head() {
    return (long) Words.LONGS.getAcquire(memory, control + LinkLayout.HEAD);
  }

  /** Release: reads of the entry stay before it, so the producer cannot overwrite too early. */
  void publishHead(long head) {
    Words.LONGS.setRelease(memory, control + LinkLayout.HEAD, head);
  }

  /** Acquire: entries put in before closing are seen by a look that follows. */
  int closed() {
    return (int) Words.INTS.getAcquire(memory, control + LinkLayout.CLOSED);
  }

  void close(int how) {
    Words.INTS.setRelease(memory, control + LinkLayout.CLOSED, how);
  }

  WakeWord sleeping() {
    return new WakeWord(memory, control + LinkLayout.SLEEPING);
  }

  WakeWord starved() {
    return new WakeWord(memory, control + LinkLayout.STARVED);
  }
}
