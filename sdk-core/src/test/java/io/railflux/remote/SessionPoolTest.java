package io.railflux.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.policy.Balancing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SessionPoolTest {

  private static final long SECOND = 1_000_000_000L;

  private final VirtualTicks ticks = new VirtualTicks();
  private final FakePlaces places = new FakePlaces();
  private final List<String> got = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private List<String> resolved = List.of("a:1");
  private Throwable unresolved;
  private int lookups;

  private SessionPool<String> pool(Balancing balancing, boolean failFast) {
    Backoff backoff = new Backoff(50_000_000, 400_000_000);
    return new SessionPool<>(
        new SessionPool.Spec<>("place", places::connector, balancing, backoff, failFast),
        ticks,
        this::resolve,
        session -> {});
  }

  private void resolve(Consumer<List<String>> found, Consumer<Throwable> failed) {
    lookups++;
    ticks.after(0, () -> {
      if (unresolved != null) {
        failed.accept(unresolved);
      } else {
        found.accept(resolved);
      }
    });
  }

  private Runnable await(SessionPool<String> pool, long seconds) {
    return pool.await(seconds * SECOND, member -> got.add(member.session()), failures::add);
  }

  private SessionPool<String> connected(Balancing balancing, String... addresses) {
    resolved = List.of(addresses);
    SessionPool<String> pool = pool(balancing, false);
    pool.begin();
    ticks.pass(1);
    for (String address : addresses) {
      places.at(address).established.accept("session with " + address);
    }
    return pool;
  }

  @Test
  void connectsWithTheFirstWaitAndServesAllWaits() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    assertEquals(0, lookups);
    await(pool, 10);
    await(pool, 10);
    ticks.pass(1);
    places.last().established.accept("s1");
    assertEquals(List.of("s1", "s1"), got);
    ticks.pass(20_000);
    assertEquals(List.of(), failures);
  }

  @Test
  void aWaitEndsAtItsBoundWithTheReasonOfTheLastAttempt() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    await(pool, 1);
    ticks.pass(1);
    places.last().failed.accept(new IOException("connection refused"));
    ticks.pass(1_000);
    assertInstanceOf(PeerUnreachableException.class, failures.get(0));
    assertEquals(
        "remote 'place' was not reachable within 1000 ms: connection refused",
        failures.get(0).getMessage());
  }

  @Test
  void aWithdrawnWaitHearsNothing() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    Runnable withdraw = await(pool, 1);
    ticks.pass(1);
    withdraw.run();
    places.last().established.accept("s1");
    ticks.pass(2_000);
    assertEquals(List.of(), got);
    assertEquals(List.of(), failures);
  }

  @Test
  void failsFastOnceEveryAddressHasFailedAndNotBefore() {
    resolved = List.of("a:1", "b:1");
    SessionPool<String> pool = pool(Balancing.ROUND_ROBIN, true);
    await(pool, 10);
    ticks.pass(1);
    places.at("a:1").failed.accept(new IOException("no a"));
    assertEquals(List.of(), failures);
    places.at("b:1").failed.accept(new IOException("no b"));
    assertEquals(
        "remote 'place' is not reachable now: no a; no b", failures.get(0).getMessage());
    await(pool, 10);
    assertEquals(2, failures.size());
    ticks.pass(50);
    places.at("b:1").established.accept("s");
    await(pool, 10);
    assertEquals(List.of("s"), got);
  }

  @Test
  void doesNotRepeatAnAttemptThatCanNeverSucceed() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    pool.await(SessionPool.PATIENT_NANOS, member -> got.add(member.session()), failures::add);
    ticks.pass(1);
    IllegalArgumentException malformed = new IllegalArgumentException("malformed address");
    places.last().failed.accept(malformed);
    assertEquals(List.of(malformed), failures);
    FakePlaces.Attempt only = places.last();
    ticks.pass(10_000);
    assertSame(only, places.last());
    await(pool, 10);
    assertEquals(List.of(malformed, malformed), failures);
    pool.close();
  }

  @Test
  void takesInstancesInTurn() {
    SessionPool<String> pool = connected(Balancing.ROUND_ROBIN, "a:1", "b:1");
    List<String> picked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      picked.add(pool.pick().session());
    }
    assertEquals(picked.subList(0, 2), picked.subList(2, 4));
    assertTrue(picked.containsAll(List.of("session with a:1", "session with b:1")));
  }

  @Test
  void takesTheInstanceWithTheFewestRequestsUnderWay() {
    SessionPool<String> pool = connected(Balancing.LEAST_OUTSTANDING, "a:1", "b:1", "c:1");
    for (SessionPool.Member<String> member : pool.members()) {
      member.outstanding().set(member.session().endsWith("b:1") ? 3 : 5);
    }
    for (int i = 0; i < 5; i++) {
      assertEquals("session with b:1", pool.pick().session());
    }
  }

  @Test
  void aRetiredSessionGetsNoWorkAndIsReplaced() {
    SessionPool<String> pool = connected(Balancing.NONE, "a:1");
    pool.retire("session with a:1");
    assertNull(pool.pick());
    await(pool, 10);
    places.last().established.accept("successor");
    assertEquals(List.of("successor"), got);
  }

  @Test
  void aSuspendedSessionGetsWorkAgainWhenItResumes() {
    SessionPool<String> pool = connected(Balancing.NONE, "a:1");
    pool.suspend("session with a:1");
    await(pool, 10);
    assertEquals(List.of(), got);
    pool.resume("session with a:1");
    assertEquals(List.of("session with a:1"), got);
    assertEquals(1, places.attempts.size());
  }

  @Test
  void aSuspendedSessionThatEndsIsReplaced() {
    SessionPool<String> pool = connected(Balancing.NONE, "a:1");
    pool.suspend("session with a:1");
    pool.retire("session with a:1");
    places.last().established.accept("successor");
    pool.resume("session with a:1");
    assertEquals(1, pool.members().size());
    assertEquals("successor", pool.pick().session());
  }

  @Test
  void failsFastWhileTheOnlySessionHasNoRail() {
    SessionPool<String> pool = pool(Balancing.NONE, true);
    pool.begin();
    ticks.pass(1);
    places.last().established.accept("s1");
    pool.suspend("s1");
    await(pool, 10);
    assertEquals(
        "remote 'place' is not reachable now: s1 has no rail at present",
        failures.get(0).getMessage());
  }

  @Test
  void looksAddressesUpAgainAndFollowsThem() {
    SessionPool<String> pool = connected(Balancing.ROUND_ROBIN, "a:1", "b:1");
    resolved = List.of("b:1", "c:1");
    ticks.pass(30_001);
    assertEquals(1, places.attemptsAt("c:1"));
    places.at("c:1").established.accept("session with c:1");
    // The session with the former address continues until its own end.
    assertEquals(3, pool.members().size());
    pool.retire("session with a:1");
    ticks.pass(5_000);
    assertEquals(1, places.attemptsAt("a:1"));
    assertEquals(2, pool.members().size());
  }

  @Test
  void anUnknownHostIsLookedUpAgainAndNamed() {
    unresolved = new IOException("unknown host a");
    SessionPool<String> pool = pool(Balancing.ROUND_ROBIN, false);
    await(pool, 1);
    ticks.pass(1_000);
    assertEquals(
        "remote 'place' was not reachable within 1000 ms: unknown host a",
        failures.get(0).getMessage());
    assertTrue(lookups > 3);
    unresolved = null;
    await(pool, 10);
    ticks.pass(500);
    places.last().established.accept("s1");
    assertEquals(List.of("s1"), got);
  }

  @Test
  void closingFailsWaitsAndGivesAttemptsUp() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    await(pool, 10);
    ticks.pass(1);
    pool.close();
    assertInstanceOf(NodeClosedException.class, failures.get(0));
    assertTrue(places.last().givenUp);
    await(pool, 10);
    assertEquals(2, failures.size());
  }

  @Test
  void aCallerThatThrowsLeavesTheOthersAlone() {
    SessionPool<String> pool = pool(Balancing.NONE, false);
    pool.await(
        SECOND,
        member -> {
          throw new IllegalStateException("on purpose");
        },
        failures::add);
    await(pool, 10);
    ticks.pass(1);
    places.last().established.accept("s1");
    assertEquals(List.of("s1"), got);
    pool.retire("s1");
    pool.await(SECOND, member -> {}, error -> {
      throw new IllegalStateException("on purpose");
    });
    await(pool, 10);
    pool.close();
    assertEquals(1, failures.size());
  }

  @Test
  void aClosedPoolDoesNotReviveWithASuspendedSession() {
    SessionPool<String> pool = connected(Balancing.NONE, "a:1");
    pool.suspend("session with a:1");
    assertEquals(List.of("session with a:1"), pool.sessions());
    pool.close();
    pool.resume("session with a:1");
    assertNull(pool.pick());
  }

  @Test
  void aStreamOutlastsTheFailureOfAllAddresses() {
    SessionPool<String> pool = pool(Balancing.NONE, true);
    pool.await(SessionPool.PATIENT_NANOS, member -> got.add(member.session()), failures::add);
    ticks.pass(1);
    places.last().failed.accept(new IOException("restarting"));
    assertEquals(List.of(), failures);
    ticks.pass(50);
    places.last().established.accept("s1");
    assertEquals(List.of("s1"), got);
  }
}
