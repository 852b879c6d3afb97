package io.railflux.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.remote.SessionKeeper.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

  private final VirtualTicks ticks = new VirtualTicks();
  private final FakePlaces places = new FakePlaces();
  private final List<String> events = new ArrayList<>();
  private final SessionKeeper<String> keeper = new SessionKeeper<>(
      "a:1",
      places.connector("a:1"),
      ticks,
      new Backoff(50_000_000, 400_000_000),
      new SessionKeeper.Listener<>() {
        @Override
        public void established(SessionKeeper<String> of, String session) {
          events.add("established " + session);
        }

        @Override
        public void retired(SessionKeeper<String> of, String session) {
          events.add("retired " + session);
        }

        @Override
        public void failed(SessionKeeper<String> of, Throwable cause, int attempts) {
          events.add("failed " + attempts);
        }
      });

  @Test
  void permitsTheseTransitionsOnly() {
    Set<String> allowed = new TreeSet<>();
    for (State from : State.values()) {
      for (State to : State.values()) {
        if (from.canBecome(to)) {
          allowed.add(from + " -> " + to);
        }
      }
    }
    assertEquals(
        new TreeSet<>(Set.of(
            "IDLE -> CONNECTING",
            "IDLE -> CLOSED",
            "CONNECTING -> CONNECTED",
            "CONNECTING -> FAILED",
            "FAILED -> CLOSED",
            "CONNECTING -> BACKING_OFF",
            "CONNECTING -> CLOSED",
            "CONNECTED -> CONNECTING",
            "CONNECTED -> BACKING_OFF",
            "CONNECTED -> CLOSED",
            "BACKING_OFF -> CONNECTING",
            "BACKING_OFF -> CLOSED")),
        allowed);
  }

  @Test
  void connectsOnFirstUseOnly() {
    assertEquals(State.IDLE, keeper.state());
    assertEquals(0, places.attempts.size());
    keeper.need();
    keeper.need();
    assertEquals(State.CONNECTING, keeper.state());
    assertEquals(1, places.attempts.size());
    places.last().established.accept("s1");
    keeper.need();
    assertEquals(State.CONNECTED, keeper.state());
    assertEquals(1, places.attempts.size());
  }

  @Test
  void doublesTheBackoffUpToItsBound() {
    keeper.need();
    for (int millis : new int[] {50, 100, 200, 400, 400}) {
      int before = places.attempts.size();
      places.last().failed.accept(new IOException("refused"));
      assertEquals(State.BACKING_OFF, keeper.state());
      ticks.pass(millis - 1);
      assertEquals(before, places.attempts.size());
      ticks.pass(1);
      assertEquals(State.CONNECTING, keeper.state());
      assertEquals(before + 1, places.attempts.size());
    }
    assertEquals(List.of("failed 1", "failed 2", "failed 3", "failed 4", "failed 5"), events);
  }

  @Test
  void connectsAtOnceAfterASessionAndBeginsTheBackoffAnew() {
    keeper.need();
    places.last().failed.accept(new IOException("refused"));
    ticks.pass(50);
    places.last().established.accept("s1");
    assertNull(keeper.lastFailure());
    ticks.pass(400);
    keeper.retire("s1");
    assertEquals(State.CONNECTING, keeper.state());
    places.last().failed.accept(new IOException("refused"));
    ticks.pass(50);
    assertEquals(State.CONNECTING, keeper.state());
    assertEquals(List.of("failed 1", "established s1", "retired s1", "failed 1"), events);
  }

  @Test
  void backsOffWhenSessionsEndSoonAfterTheirBegin() {
    keeper.need();
    places.last().established.accept("s1");
    keeper.retire("s1");
    assertEquals(State.CONNECTING, keeper.state());
    places.last().established.accept("s2");
    keeper.retire("s2");
    assertEquals(State.BACKING_OFF, keeper.state());
    ticks.pass(50);
    places.last().established.accept("s3");
    ticks.pass(400);
    keeper.retire("s3");
    assertEquals(State.CONNECTING, keeper.state());
  }

  @Test
  void ignoresTheEndOfAnEarlierSession() {
    keeper.need();
    places.last().established.accept("s1");
    keeper.retire("s1");
    places.last().established.accept("s2");
    keeper.retire("s1");
    assertEquals(State.CONNECTED, keeper.state());
  }

  @Test
  void givesUpAnAttemptAndABackoffWhenClosed() {
    keeper.need();
    keeper.close();
    assertTrue(places.last().givenUp);
    assertEquals(State.CLOSED, keeper.state());
    keeper.need();
    ticks.pass(1_000);
    assertEquals(1, places.attempts.size());
  }

  @Test
  void randomnessShortensABackoffByAtMostAHalf() {
    Backoff backoff = new Backoff(50, 400);
    assertEquals(50, backoff.nanos(1, 0));
    assertEquals(26, backoff.nanos(1, 0.99));
    assertEquals(400, backoff.nanos(1_000, 0));
    assertEquals(1L << 62, new Backoff(1L << 62, Long.MAX_VALUE).nanos(9, 0));
  }
}
