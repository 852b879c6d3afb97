package io.railflux.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The number of messages that each stream may request, and the absence of starvation. */
class MessageBudgetTest {

  private static final long UNBOUNDED = Long.MAX_VALUE;

  private long occupied;

  private MessageBudget budget(long places) {
    return new MessageBudget(places, () -> occupied);
  }

  /** A stream whose subscriber has unbounded demand and closes messages when the test requires it. */
  private final class Stream {

    private final MessageBudget.Claim claim;
    private long asked;
    private int open;
    private boolean served;

    Stream(MessageBudget budget) {
      claim = budget.open(this::ask, () -> open > 0);
      ask();
    }

    private void ask() {
      asked += claim.more(UNBOUNDED - claim.asked());
    }

    void comes() {
      asked--;
      open++;
      occupied++;
      served = true;
      claim.onArrived();
      ask();
    }

    void close() {
      open--;
      occupied--;
    }

    /** Passes messages to a subscriber that closes them immediately. */
    void passes(int messages) {
      for (int i = 0; i < messages; i++) {
        asked--;
        open++;
        occupied++;
        claim.onArrived();
        close();
        ask();
      }
    }
  }

  @Test
  void streamWithoutMessagesRequestsOne() {
    assertEquals(1, new Stream(budget(256)).asked);
  }

  @Test
  void activeStreamRequestsItsShare() {
    Stream stream = new Stream(budget(256));
    stream.comes();

    assertEquals(256 / 16, stream.asked);
  }

  @Test
  void streamThatClosesNothingStopsAtTheBudget() {
    Stream stream = new Stream(budget(32));
    while (stream.asked > 0) {
      stream.comes();
    }

    assertEquals(32, stream.open);
  }

  @Test
  void streamsWithoutMessagesDoNotReduceOtherShares() {
    MessageBudget budget = budget(32);
    for (int i = 0; i < 64; i++) {
      assertEquals(1, new Stream(budget).asked);
    }
    Stream busy = new Stream(budget);
    busy.comes();

    assertEquals(2, busy.asked);
  }

  @Test
  void silentStreamsReturnTheirPlaces() {
    MessageBudget budget = budget(32);
    for (int i = 0; i < 32; i++) {
      new Stream(budget).passes(1);
    }
    Stream busy = new Stream(budget);
    busy.comes();
    assertEquals(0, busy.asked, "the places are reserved, and the stream holds a message");
    assertTrue(budget.isAwaited());

    busy.close();
    budget.released();
    busy.passes(100);
    assertEquals(2, busy.asked);
  }

  @Test
  void resumingStreamUsesItsShareAgain() {
    MessageBudget budget = budget(32);
    Stream silent = new Stream(budget);
    silent.passes(1);
    new Stream(budget).passes(64);
    assertEquals(2, silent.asked);

    silent.passes(10);
    assertEquals(2, silent.asked);
    Stream keeping = new Stream(budget);
    while (keeping.asked > 0) {
      keeping.comes();
    }
    assertEquals(32 - 4, keeping.open, "the requests of the two other streams are reserved");
  }

  @Test
  void streamContinuesAfterClosingItsLastMessage() {
    MessageBudget budget = budget(2);
    Stream keeping = new Stream(budget);
    while (keeping.asked > 0) {
      keeping.comes();
    }
    Stream other = new Stream(budget);
    for (int i = 0; i < 10; i++) {
      other.comes();
      assertEquals(0, other.asked);
      other.close();
      budget.released();
      assertEquals(1, other.asked);
    }
  }

  @Test
  void waitingStreamsAreServedInTurn() {
    MessageBudget budget = budget(2);
    Stream keeping = new Stream(budget);
    while (keeping.asked > 0) {
      keeping.comes();
    }
    List<Stream> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Stream stream = new Stream(budget);
      stream.comes();
      waiting.add(stream);
    }
    occupied -= 4; // The other streams held few messages.
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      keeping.close();
      budget.released();
      keeping.claim.end();
      for (int s = 0; s < waiting.size(); s++) {
        if (waiting.get(s).asked > 0) {
          waiting.get(s).comes();
          turns.add(s);
        }
      }
    }
    assertEquals(List.of(0, 1), turns.subList(0, 2));
  }

  @Test
  void endOfAStreamFreesItsPlaces() {
    MessageBudget budget = budget(16);
    Stream first = new Stream(budget);
    first.comes();
    first.claim.end();
    first.claim.end();
    first.close();
    Stream second = new Stream(budget);
    while (second.asked > 0) {
      second.comes();
    }

    assertEquals(16, second.open);
    assertFalse(LongStream.of(first.claim.asked()).anyMatch(n -> n != 0));
  }

  /** The excess over the budget is bounded by the requests to silent streams. */
  @Property
  void anyOrderOfEventsKeepsTheBounds(
      @ForAll @Size(max = 400) int[] steps, @ForAll @IntRange(min = 1, max = 40) int places) {
    occupied = 0;
    MessageBudget budget = budget(places);
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      streams.add(new Stream(budget));
    }
    long share = Math.max(1, places / 16);
    for (int step : steps) {
      Stream stream = streams.get(Math.floorMod(step, streams.size()));
      if (step % 3 == 0 && stream.open > 0) {
        stream.close();
        budget.released();
      } else if (stream.asked > 0) {
        stream.comes();
      }
      assertEquals(stream.claim.asked(), stream.asked);
      assertTrue(occupied <= places + streams.size() * share);
      for (Stream any : streams) {
        assertTrue(any.asked <= share);
        assertTrue(any.open > 0 || any.asked > 0, "starved, served before: " + any.served);
      }
    }
  }
}
