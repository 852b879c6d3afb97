package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MailboxTest {

  private static final int MAX = MailboxLayout.MAX_PAYLOAD_BYTES;

  private final ByteBuffer link =
      ByteBuffer.allocateDirect(LinkLayout.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ShmLane lane = new ShmLane(link, 1);
  private final MailboxWriter writer = new MailboxWriter(lane);
  private final MailboxReader reader = new MailboxReader(lane);

  @Test
  void emptyMailboxHasNoEntry() {
    assertEquals(MailboxReader.Found.NOTHING, reader.peek());
  }

  @Test
  void immediateHasNoPayload() {
    assertEquals(MailboxWriter.Room.ENOUGH, writer.room(0));
    writer.put(MailboxLayout.IMMEDIATE, 0xCAFE_BABE, 1 << 30, null, 0);

    assertEquals(MailboxReader.Found.ENTRY, reader.peek());
    assertEquals(MailboxLayout.IMMEDIATE, reader.kind());
    assertEquals(0xCAFE_BABE, reader.immediate());
    assertEquals(1 << 30, reader.length());
    reader.consume();
    assertEquals(MailboxReader.Found.NOTHING, reader.peek());
  }

  @Test
  void repeatedReadsFindTheSameEntry() {
    send(new byte[] {1, 2, 3});

    assertEquals(MailboxReader.Found.ENTRY, reader.peek());
    assertEquals(MailboxReader.Found.ENTRY, reader.peek());
    assertArrayEquals(new byte[] {1, 2, 3}, receive());
  }

  @Test
  void fullMailboxRequestsADoorbellAndAcceptsMoreAfterwards() {
    while (writer.room(MAX) == MailboxWriter.Room.ENOUGH) {
      send(new byte[MAX]);
    }
    assertEquals(MailboxWriter.Room.FULL, writer.room(MAX));

    assertEquals(MAX, receive().length);
    assertTrue(reader.claimStarved());
    assertFalse(reader.claimStarved());
    assertEquals(MailboxWriter.Room.ENOUGH, writer.room(MAX));
  }

  @Test
  void emptyMailboxFitsTheLongestEntryAtAnyPosition() {
    for (int i = 0; i < 3 * LinkLayout.MAILBOX_BYTES / MailboxLayout.HEADER_BYTES; i++) {
      assertEquals(MailboxWriter.Room.ENOUGH, writer.room(MAX), "at " + i);
      send(new byte[0]);
      assertEquals(0, receive().length);
    }
  }

  /** Compares with a queue, with lengths and speeds that wrap every position of the ring. */
  @Property(tries = 200)
  void entriesAreReadInOrder(
      @ForAll @Size(min = 1, max = 200)
          List<@IntRange(min = 0, max = MailboxLayout.MAX_PAYLOAD_BYTES) Integer> lengths,
      @ForAll @IntRange(min = 1, max = 8) int batch) {
    MailboxTest fresh = new MailboxTest();
    Deque<byte[]> expected = new ArrayDeque<>();
    int seed = 0;
    for (int length : lengths) {
      byte[] payload = payload(length, seed++);
      while (fresh.writer.room(length) != MailboxWriter.Room.ENOUGH) {
        assertArrayEquals(expected.remove(), fresh.receive());
      }
      fresh.send(payload);
      expected.add(payload);
      while (expected.size() > batch) {
        assertArrayEquals(expected.remove(), fresh.receive());
      }
    }
    while (!expected.isEmpty()) {
      assertArrayEquals(expected.remove(), fresh.receive());
    }
    assertEquals(MailboxReader.Found.NOTHING, fresh.reader.peek());
  }

  private void send(byte[] payload) {
    assertEquals(MailboxWriter.Room.ENOUGH, writer.room(payload.length));
    writer.put(MailboxLayout.SEND, 0, payload.length, ByteBuffer.wrap(payload), 0);
  }

  private byte[] receive() {
    assertEquals(MailboxReader.Found.ENTRY, reader.peek());
    assertEquals(MailboxLayout.SEND, reader.kind());
    byte[] payload = new byte[reader.length()];
    reader.copyPayload(ByteBuffer.wrap(payload), 0);
    reader.consume();
    return payload;
  }

  private static byte[] payload(int length, int seed) {
    byte[] payload = new byte[length];
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (seed * 31 + i);
    }
    return payload;
  }
}
