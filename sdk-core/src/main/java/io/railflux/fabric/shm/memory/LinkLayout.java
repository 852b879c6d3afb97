package io.railflux.fabric.shm.memory;

/**
 * Layout of the link file, which two endpoints share: one page of control words, two mailboxes.
 *
 * <pre>
 *       0  +-------------------------------------------------------------+
 *          | magic (8)        | nonce (8)        | length (4) | zero (4) |
 *    1024  +-------------------------------------------------------------+
 *          | control words of lane 0: connecting to accepting side       |
 *    2048  +-------------------------------------------------------------+
 *          | control words of lane 1: accepting to connecting side       |
 *    4096  +-------------------------------------------------------------+
 *          | mailbox of lane 0, 64 KiB                                   |
 *   69632  +-------------------------------------------------------------+
 *          | mailbox of lane 1, 64 KiB                                   |
 *  135168  +-------------------------------------------------------------+
 *
 *  control words of a lane, each group alone on two cache lines (x86 prefetches lines in pairs):
 *
 * +0  tail     (8)  producer writes: total bytes written +8  closed   (4)  producer writes: 0 open, 1 closed, 2 fenced
 * +128  head     (8)  consumer writes: total bytes consumed +256  sleeping (4)  consumer arms with 1, producer claims
 * by 1 -> 0 and then rings +384  starved  (4)  producer sets 1 for lack of room, consumer claims by 1 -> 0 and rings
 * </pre>
 *
 * <p>{@code tail} and {@code closed} share a line on purpose: an idle consumer reads both in every duty cycle.
 */
public final class LinkLayout {

  public static final long MAGIC = 0x0031_4b4e_494c_4652L; // "RFLINK1\0" in memory

  public static final int MAGIC_OFFSET = 0;
  public static final int NONCE_OFFSET = 8;
  public static final int LENGTH_OFFSET = 16;

  public static final int CONTROL_OFFSET = 1024;
  public static final int CONTROL_BYTES = 1024;
  public static final int TAIL = 0;
  public static final int CLOSED = 8;
  public static final int HEAD = 128;
  public static final int SLEEPING = 256;
  public static final int STARVED = 384;

  public static final int MAILBOX_OFFSET = 4096;
  public static final int MAILBOX_BYTES = 64 * 1024;
  public static final int LENGTH_BYTES = MAILBOX_OFFSET + 2 * MAILBOX_BYTES;

  private LinkLayout() {}
}
