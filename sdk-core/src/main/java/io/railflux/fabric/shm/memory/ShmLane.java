package io.railflux.fabric.shm.memory;

import java.nio.ByteBuffer;

/**
 * One direction of a link: the words and bytes that its producer and consumer share.
 *
 * <p>The other process may overwrite any word at any time. Readers get a copy and validate it.
 */
public final class ShmLane {

  public static final int OPEN = 0;
  public static final int CLOSED = 1;
  public static final int FENCED = 2;

  private final ByteBuffer memory;
  private final int control;
  private final int mailbox;

  /**
   * @param memory the whole link file, little-endian
   * @param number 0 from the connecting to the accepting side, 1 back
   */
  public ShmLane(ByteBuffer memory, int number) {
    this.memory = memory;
    this.control = LinkLayout.CONTROL_OFFSET + number * LinkLayout.CONTROL_BYTES;
    this.mailbox = LinkLayout.MAILBOX_OFFSET + number * LinkLayout.MAILBOX_BYTES;
  }

  public ByteBuffer memory() {
    return memory;
  }

  /** Returns the offset of the mailbox within {@link #memory()}. */
  public int mailbox() {
    return mailbox;
  }

  /** Acquire: a reader of the position sees the entries before it. */
  public long tail() {
    return (long) Words.LONGS.getAcquire(memory, control + LinkLayout.TAIL);
  }

  /** Release: publishes all earlier writes, in the mailbox and in mapped regions. */
  public void publishTail(long tail) {
    Words.LONGS.setRelease(memory, control + LinkLayout.TAIL, tail);
  }

  /** Acquire: the room before the position is free, and its reads are complete. */
  public long head() {
    return (long) Words.LONGS.getAcquire(memory, control + LinkLayout.HEAD);
  }

  /** Release: reads of the entry precede it, so the producer cannot overwrite the entry too early. */
  public void publishHead(long head) {
    Words.LONGS.setRelease(memory, control + LinkLayout.HEAD, head);
  }

  /** Acquire: a following poll sees entries from before the close. */
  public int closed() {
    return (int) Words.INTS.getAcquire(memory, control + LinkLayout.CLOSED);
  }

  public void close(int how) {
    Words.INTS.setRelease(memory, control + LinkLayout.CLOSED, how);
  }

  public WakeWord sleeping() {
    return new WakeWord(memory, control + LinkLayout.SLEEPING);
  }

  public WakeWord starved() {
    return new WakeWord(memory, control + LinkLayout.STARVED);
  }
}
