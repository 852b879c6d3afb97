package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A peer that writes arbitrary values into the shared words and bytes. */
class HostileMailboxTest {

  private static final int CONTROL = LinkLayout.CONTROL_OFFSET;
  private static final int MAILBOX = LinkLayout.MAILBOX_OFFSET;
  private static final int CAPACITY = LinkLayout.MAILBOX_BYTES;

  private final ByteBuffer link =
      ByteBuffer.allocateDirect(LinkLayout.LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final MailboxReader reader = new MailboxReader(new ShmLane(link, 0));

  @Test
  void rejectsATailBehindTheHead() {
    assertRejected(-16);
  }

  @Test
  void rejectsATailBeyondTheRing() {
    assertRejected(CAPACITY + 16);
  }

  @Test
  void rejectsAnUnalignedTail() {
    assertRejected(8);
  }

  @Test
  void rejectsAnUnknownKind() {
    entry(0, 9, 0);
    assertRejected(16);
  }

  @Test
  void rejectsANegativeLength() {
    entry(0, MailboxLayout.SEND, -1);
    assertRejected(16);
    entry(0, MailboxLayout.IMMEDIATE, Integer.MIN_VALUE);
    assertRejected(16);
  }

  @Test
  void rejectsALengthBeyondTheTail() {
    entry(0, MailboxLayout.SEND, 17);
    assertRejected(32);
  }

  @Test
  void rejectsALengthBeyondTheLongestSend() {
    entry(0, MailboxLayout.SEND, MailboxLayout.MAX_PAYLOAD_BYTES + 1);
    assertRejected(CAPACITY);
    entry(0, MailboxLayout.SEND, Integer.MAX_VALUE);
    assertRejected(CAPACITY);
  }

  @Test
  void rejectsPaddingOfAWholeRing() {
    entry(0, MailboxLayout.PAD, 0);
    assertRejected(CAPACITY);
  }

  @Test
  void impossibleHeadBreaksTheWriter() {
    for (long head : new long[] {-16, 16, 8, Long.MAX_VALUE & -16}) {
      link.putLong(CONTROL + LinkLayout.HEAD, head);
      assertEquals(
          MailboxWriter.Room.BROKEN, fillUp(new MailboxWriter(new ShmLane(link, 0)), head));
    }
  }

  /** No read throws or leaves the mailbox, and every walk ends. */
  @Property(tries = 2000)
  void readsArbitraryBytesSafely(
      @ForAll("tails") long tail,
      @ForAll @Size(max = 64) byte[] bytes,
      @ForAll @IntRange(min = 1, max = 16) int copies) {
    HostileMailboxTest fresh = new HostileMailboxTest();
    for (int i = 0; i < copies; i++) {
      fresh.link.put(MAILBOX + i * 64, bytes);
    }
    fresh.link.putLong(CONTROL + LinkLayout.TAIL, tail);
    fresh.walk();
  }

  /** Nearly valid headers reach deeper code than random bytes. */
  @Property(tries = 2000)
  void readsNearlyValidEntriesSafely(
      @ForAll @IntRange(min = 0, max = 4) int kind,
      @ForAll("lengths") int length,
      @ForAll @IntRange(min = 0, max = CAPACITY_SLOTS) int slots) {
    HostileMailboxTest fresh = new HostileMailboxTest();
    for (int at = 0; at < CAPACITY; at += 16 + (length & 0x3ff0)) {
      fresh.entry(at, kind, length);
    }
    fresh.link.putLong(CONTROL + LinkLayout.TAIL, slots * 16L);
    fresh.walk();
  }

  private static final int CAPACITY_SLOTS = LinkLayout.MAILBOX_BYTES / 16 + 2;

  @Provide
  Arbitrary<Long> tails() {
    return Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(0, CAPACITY));
  }

  @Provide
  Arbitrary<Integer> lengths() {
    return Arbitraries.oneOf(Arbitraries.integers(), Arbitraries.integers().between(-1, 20_000));
  }

  private void walk() {
    ByteBuffer target = ByteBuffer.allocate(MailboxLayout.MAX_PAYLOAD_BYTES);
    int entries = 0;
    while (reader.peek() == MailboxReader.Found.ENTRY) {
      if (reader.kind() == MailboxLayout.SEND) {
        reader.copyPayload(target, 0);
      }
      reader.consume();
      entries++;
      assertTrue(entries <= CAPACITY / 16, "more entries than the ring can hold");
    }
  }

  private void assertRejected(long tail) {
    link.putLong(CONTROL + LinkLayout.TAIL, tail);
    assertEquals(MailboxReader.Found.GARBAGE, new MailboxReader(new ShmLane(link, 0)).peek());
  }

  private void entry(int at, int kind, int length) {
    link.putInt(MAILBOX + at + MailboxLayout.KIND, kind);
    link.putInt(MAILBOX + at + MailboxLayout.LENGTH, length);
  }

  /** Writes until the writer has to read the head. */
  private MailboxWriter.Room fillUp(MailboxWriter filled, long head) {
    MailboxWriter.Room room = filled.room(0);
    for (int i = 0; room == MailboxWriter.Room.ENOUGH && i < CAPACITY; i++) {
      filled.put(MailboxLayout.IMMEDIATE, 0, 0, null, 0);
      // Skips heads that have become valid.
      link.putLong(CONTROL + LinkLayout.HEAD, head == 16 ? (i + 2) * 16L : head);
      room = filled.room(0);
    }
    return room;
  }
}
