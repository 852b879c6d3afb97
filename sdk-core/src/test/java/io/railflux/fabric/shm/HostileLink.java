package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import io.railflux.fabric.shm.socket.HandshakeException;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Passes arbitrary bytes to the readers of a peer's bytes. Each input must be decoded or rejected, without side
 * effects.
 */
final class HostileLink {

  private static final int WORDS_BYTES = 2 * Integer.BYTES;

  private HostileLink() {}

  static void decodeHandshake(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      HandshakeMessage message = HandshakeMessage.decode(buffer);
      // Part of a path, which must not lead elsewhere.
      assertTrue(message.sender().directoryName().matches("p(-\\d{1,18}){4}"));
      ByteBuffer again = ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      message.encode(again);
      assertEquals(message, HandshakeMessage.decode(again));
      // Codes of later versions are rejections as well.
      Refusal.of(message.detail()).words();
    } catch (HandshakeException e) {
      assertEquals(Refusal.MALFORMED, e.refusal());
    }
  }

  /** Reads tail, head and the content of the mailbox. */
  static void readMailbox(byte[] bytes) {
    if (bytes.length < WORDS_BYTES) {
      return;
    }
    ByteBuffer positions = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer link =
        ByteBuffer.allocateDirect(LinkLayout.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    link.putLong(LinkLayout.CONTROL_OFFSET + LinkLayout.TAIL, positions.getInt());
    link.putLong(LinkLayout.CONTROL_OFFSET + LinkLayout.HEAD, positions.getInt());
    int content = Math.min(positions.remaining(), LinkLayout.MAILBOX_BYTES);
    link.put(LinkLayout.MAILBOX_OFFSET, positions, WORDS_BYTES, content);
    walk(link);
    fill(link);
  }

  /** Reads stay within the mailbox, and every walk ends. */
  private static void walk(ByteBuffer link) {
    MailboxReader reader = new MailboxReader(new ShmLane(link, 0));
    byte[] before = behind(link);
    ByteBuffer target = ByteBuffer.allocate(MailboxLayout.MAX_PAYLOAD_BYTES);
    int entries = 0;
    while (reader.peek() == MailboxReader.Found.ENTRY) {
      if (reader.kind() == MailboxLayout.SEND) {
        reader.copyPayload(target, 0);
      }
      reader.consume();
      entries++;
      assertTrue(
          entries <= LinkLayout.MAILBOX_BYTES / MailboxLayout.HEADER_BYTES,
          "more entries than the ring can hold");
    }
    assertTrue(Arrays.equals(before, behind(link)), "written to the other lane");
  }

  /** A writer that uses the peer's head writes only inside of its mailbox, and stops. */
  private static void fill(ByteBuffer link) {
    MailboxWriter writer = new MailboxWriter(new ShmLane(link, 0));
    byte[] before = behind(link);
    int entries = 0;
    while (writer.room(0) == MailboxWriter.Room.ENOUGH) {
      writer.put(MailboxLayout.IMMEDIATE, 0, 0, null, 0);
      entries++;
      assertTrue(
          entries <= 2 * LinkLayout.MAILBOX_BYTES / MailboxLayout.HEADER_BYTES,
          "wrote into entries that were never read");
    }
    assertTrue(Arrays.equals(before, behind(link)), "written to the other lane");
  }

  private static byte[] behind(ByteBuffer link) {
    byte[] bytes = new byte[LinkLayout.MAILBOX_BYTES];
    link.get(LinkLayout.MAILBOX_OFFSET + LinkLayout.MAILBOX_BYTES, bytes);
    return bytes;
  }
}
