package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SendLogTest {

  private static final int SIZE = 4096;
  private static final int RESERVE = 512;

  private record Entry(int offset, int bytes, long end) {

    boolean overlaps(int otherOffset, int otherBytes) {
      return otherOffset < offset + bytes && offset < otherOffset + otherBytes;
    }
  }

  /** Entries are released in order, some of them long after later entries were claimed. */
  @Property(tries = 300)
  void entriesAreContiguousAndNeverShareAByte(
      @ForAll @Size(max = 300) List<@IntRange(min = 1, max = 12) Integer> slots) {
    SendLog log = new SendLog(SIZE);
    ArrayDeque<Entry> held = new ArrayDeque<>();
    for (int slot : slots) {
      int bytes = slot * 64;
      int offset = log.claim(bytes, RESERVE);
      while (offset < 0) {
        assertFalse(held.isEmpty(), "an empty log refuses " + bytes + " B");
        log.release(held.poll().end());
        offset = log.claim(bytes, RESERVE);
      }
      int at = offset;
      assertTrue(at + bytes <= SIZE);
      assertTrue(held.stream().noneMatch(entry -> entry.overlaps(at, bytes)));
      held.add(new Entry(at, bytes, log.commit(at, bytes)));
    }
  }

  @Test
  void claimReservesNothing() {
    SendLog log = new SendLog(SIZE);

    assertEquals(0, log.claim(SIZE, 0));
    assertEquals(0, log.claim(64, 0));
  }

  @Test
  void entryMayBeSmallerThanItsClaim() {
    SendLog log = new SendLog(SIZE);
    int offset = log.claim(1024, 0);

    assertEquals(64, log.commit(offset, 64));
    assertEquals(64, log.claim(64, 0));
  }

  @Test
  void reserveIsAvailableToClaimsWithASmallerReserve() {
    SendLog log = new SendLog(SIZE);
    log.commit(log.claim(SIZE - RESERVE, RESERVE), SIZE - RESERVE);

    assertEquals(-1, log.claim(64, RESERVE));
    assertEquals(SIZE - RESERVE, log.claim(RESERVE, 0));
  }

  @Test
  void skippedRestOfTheRingCountsAsUsed() {
    SendLog log = new SendLog(SIZE);
    long first = log.commit(log.claim(SIZE - 64, 0), SIZE - 64);
    assertEquals(-1, log.claim(128, 0), "earlier entries are still in use");
    log.release(first);

    assertEquals(0, log.claim(128, 0));
    assertEquals(SIZE + 128, log.commit(0, 128));
  }
}
