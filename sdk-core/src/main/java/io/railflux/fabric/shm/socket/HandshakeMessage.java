package io.railflux.fabric.shm.socket;

import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.memory.LinkLayout;
import java.nio.ByteBuffer;

/**
 * The three messages of the handshake, all of one length, little-endian.
 *
 * <pre>
 *    0                   4         6         7         8
 *    +-------------------+---------+---------+---------+
 *  0 | magic "RFSH"      | kind    | lowest  | highest |  versions; in WELCOME both the chosen one
 *    +-------------------+---------+---------+---------+
 *  8 | process number                                  |  of the sender
 *    +-------------------------------------------------+
 * 16 | process start time, clock ticks since boot      |
 *    +-------------------------------------------------+
 * 24 | process-number namespace, inode                 |
 *    +-------------------------------------------------+
 * 32 | fabric number within the process                |
 *    +-------------------------------------------------+
 * 40 | nonce, names the link file                      |  WELCOME repeats it
 *    +-------------------+-----------------------------+
 * 48 | link file length  | refusal code, REFUSE only   |
 *    +-------------------+-----------------------------+
 * 56 | zero                                            |
 *    +-------------------------------------------------+
 *
 *   connecting side                     accepting side
 *     make link file   --- HELLO --->     map link file, remove its name
 *                     <-- WELCOME ---     ready
 *     ready           <--- REFUSE ---     (instead) close
 * </pre>
 *
 * <p>After the handshake every byte on the socket is a doorbell.
 *
 * @param detail length of the link file in HELLO and WELCOME, refusal code in REFUSE
 */
public record HandshakeMessage(
    int kind, int lowest, int highest, ProcessIdentity sender, long nonce, int detail) {

  public static final int BYTES = 64;
  public static final int HELLO = 1;
  public static final int WELCOME = 2;
  public static final int REFUSE = 3;
  public static final int VERSION = 1;

  private static final int MAGIC = 0x4853_4652; // "RFSH" in memory
  private static final int DETAIL_OFFSET = 48;
  private static final int REFUSAL_OFFSET = 52;

  public static HandshakeMessage hello(ProcessIdentity sender, long nonce) {
    return new HandshakeMessage(HELLO, VERSION, VERSION, sender, nonce, LinkLayout.LENGTH_BYTES);
  }

  public static HandshakeMessage welcome(ProcessIdentity sender, long nonce) {
    return new HandshakeMessage(WELCOME, VERSION, VERSION, sender, nonce, LinkLayout.LENGTH_BYTES);
  }

  public static HandshakeMessage refuse(ProcessIdentity sender, Refusal refusal) {
    return new HandshakeMessage(REFUSE, VERSION, VERSION, sender, 0, refusal.code());
  }

  /** Writes the message to the start of {@code to}, which is little-endian. */
  public void encode(ByteBuffer to) {
    to.putInt(0, MAGIC);
    to.putShort(4, (short) kind);
    to.put(6, (byte) lowest);
    to.put(7, (byte) highest);
    to.putLong(8, sender.pid());
    to.putLong(16, sender.startTicks());
    to.putLong(24, sender.namespace());
    to.putLong(32, sender.fabric());
    to.putLong(40, nonce);
    to.putInt(DETAIL_OFFSET, kind == REFUSE ? 0 : detail);
    to.putInt(REFUSAL_OFFSET, kind == REFUSE ? detail : 0);
    to.putLong(56, 0);
  }

  /**
   * Reads the message from the start of {@code from}, which is little-endian and untrusted.
   *
   * @throws HandshakeException with the defect
   */
  public static HandshakeMessage decode(ByteBuffer from) throws HandshakeException {
    if (from.getInt(0) != MAGIC) {
      throw new HandshakeException(Refusal.MALFORMED, "the bytes received are no handshake");
    }
    int kind = from.getShort(4);
    if (kind < HELLO || kind > REFUSE) {
      throw new HandshakeException(Refusal.MALFORMED, "unknown handshake message " + kind);
    }
    ProcessIdentity sender =
        new ProcessIdentity(from.getLong(24), from.getLong(8), from.getLong(16), from.getLong(32));
    if (!sender.plausible()) {
      throw new HandshakeException(Refusal.MALFORMED, "impossible process " + sender);
    }
    return new HandshakeMessage(
        kind,
        Byte.toUnsignedInt(from.get(6)),
        Byte.toUnsignedInt(from.get(7)),
        sender,
        from.getLong(40),
        from.getInt(kind == REFUSE ? REFUSAL_OFFSET : DETAIL_OFFSET));
  }

  /**
   * Verifies kind and content of the message.
   *
   * @throws HandshakeException with the defect
   */
  public HandshakeMessage expect(int expectedKind) throws HandshakeException {
    if (kind != expectedKind) {
      throw new HandshakeException(Refusal.MALFORMED, "handshake message " + kind + " out of turn");
    }
    if (lowest > VERSION || highest < VERSION) {
      String versions =
          "the peer supports versions " + lowest + " to " + highest + ", this side " + VERSION;
      throw new HandshakeException(Refusal.VERSION, versions);
    }
    if (detail != LinkLayout.LENGTH_BYTES) {
      throw new HandshakeException(Refusal.MALFORMED, "impossible link of " + detail + " bytes");
    }
    return this;
  }
}
