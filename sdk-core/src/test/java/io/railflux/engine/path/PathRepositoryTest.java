package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.RailStatus.State;
import io.railflux.policy.ChannelKind;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The paths to a peer: their identity, state and readings. */
class PathRepositoryTest {

  private static final long SECOND = 1_000_000_000;

  private final FakeEngineContext engine = new FakeEngineContext();
  private final PathRepository paths = new PathRepository();
  private int lastId = -1;

  private FakeRail rail() {
    FakeRail rail = new FakeRail(engine, SimConfig.tcp().capabilities(), ++lastId, 1 << 14);
    rail.attach(RingMemory.of(1 << 14), 0);
    rail.subchannel.goesLive(engine.nowNanos());
    return rail;
  }

  private Subchannel join() {
    Subchannel subchannel = rail().subchannel;
    paths.joined(subchannel);
    return subchannel;
  }

  /** Returns another connection over the same rail to the same host. */
  private Subchannel joinAgain(Subchannel lost) {
    FakeRail other = rail();
    Subchannel again = new Subchannel(
        other.subchannel.id,
        false,
        ChannelKind.DEDICATED_RING,
        lost.rail,
        other.endpoint,
        other.subchannel.memory,
        null,
        engine.nowNanos());
    again.attach(other.subchannel.peerRing(), other.subchannel.lane(), null, 0);
    again.goesLive(engine.nowNanos());
    return again;
  }

  private RailStatus status(int path) {
    return paths.status().get(path);
  }

  /** Share of each path in the bytes of the last second. */
  @Nested
  @Tag("MR1")
  class LastSecond {

    private final PathRepository.LastSecond lastSecond = new PathRepository.LastSecond(paths);

    /** Lets half a second pass, in which the subchannel carries the bytes. */
    private void moves(Subchannel subchannel, int bytes) {
      for (int look = 0; look < 5; look++) {
        subchannel.lane().wasRead(bytes / 5, 1);
        engine.pass(SECOND / 10);
        lastSecond.look(engine.nowNanos());
      }
    }

    @Test
    void sharesCountBytesOfTheLastSecond() {
      Subchannel first = join();
      Subchannel second = join();
      lastSecond.look(engine.nowNanos());
      moves(second, 40_000);
      moves(first, 10_000);
      assertEquals(0.8, status(1).load().share(), 1e-9);
      assertEquals(0.2, status(0).load().share(), 1e-9);

      moves(first, 10_000);
      moves(first, 10_000);
      moves(first, 10_000);
      assertEquals(1, status(0).load().share(), 1e-9, "counts earlier bytes");
      assertEquals(0, status(1).load().share(), 1e-9);
    }

    @Test
    void onlyPathCarriesEverything() {
      join();

      assertEquals(1, status(0).load().share());
    }

    @Test
    void ignoresBytesBeforeTheFirstLook() {
      Subchannel first = join();
      Subchannel second = join();
      first.lane().wasRead(1_000_000, 1);
      lastSecond.look(engine.nowNanos());
      moves(second, 1_000);

      assertEquals(1, status(1).load().share(), 1e-9);
    }
  }

  @Test
  @Tag("FT2")
  void lostPathIsRecoveringUntilBothSidesKnowItsDeliveries() {
    join();
    Subchannel lost = join();
    paths.lost(lost, "by the test");
    assertEquals(State.RECOVERING, status(1).state());
    assertTrue(status(1).toString().contains("recovering"), () -> status(1).toString());
    assertTrue(status(1).toString().contains("by the test"), () -> status(1).toString());

    paths.settled(lost);
    assertEquals(State.UNAVAILABLE, status(1).state());
    assertTrue(status(1).toString().contains("unavailable"), () -> status(1).toString());
  }

  @Test
  @Tag("FT5")
  void noPathRecoversAfterTheEndOfTheSession() {
    Subchannel lost = join();
    paths.lost(lost, "by the test");
    assertEquals(State.RECOVERING, status(0).state());
    assertEquals(0, status(0).load().share());

    assertEquals(List.of(), paths.clear());
    assertEquals(State.UNAVAILABLE, status(0).state());
  }

  @Test
  void endOfTheSessionEndsEachPath() {
    Subchannel first = join();
    Subchannel second = join();

    assertEquals(List.of(first, second), paths.clear());
    assertEquals(State.UNAVAILABLE, status(0).state());
    assertFalse(paths.hasLive());
  }

  @Test
  @Tag("FT2")
  void connectionOverTheSameRailToTheSameHostRestoresThePath() {
    Subchannel lost = join();
    Path path = lost.path();
    paths.lost(lost, "by the test");
    Subchannel again = joinAgain(lost);

    assertSame(path, paths.joined(again));
    assertEquals(State.AVAILABLE, status(0).state());
    paths.settled(lost);
    assertEquals(State.AVAILABLE, status(0).state(), "another subchannel carries it");
    assertEquals(1, status(0).faults().losses());
  }

  @Test
  void replacementRestoresThePathItNames() {
    Subchannel first = join();
    Subchannel second = joinAgain(first);
    paths.joined(second);
    paths.lost(first, "by the test");
    paths.lost(second, "by the test");
    Subchannel again = joinAgain(first);
    again.replace(second.id);

    assertSame(second.path(), paths.joined(again));
  }

  @Test
  void availablePathIsNotReused() {
    Subchannel first = join();
    Subchannel beside = joinAgain(first);

    assertNotSame(first.path(), paths.joined(beside));
    assertTrue(beside.leadsWhere(first));
    assertEquals(2, paths.status().size());
  }

  @Test
  void restoredPathKeepsItsTotals() {
    Subchannel lost = join();
    lost.lane().wasRead(1_000, 1);
    paths.lost(lost, "by the test");
    Subchannel again = joinAgain(lost);
    paths.joined(again);
    again.lane().wasRead(500, 1);

    assertEquals(1_500, status(0).load().bytes());
    assertEquals(2, status(0).load().stripes());
  }

  @Test
  void abandonedPathIsNoLossAndIsForgottenAfterSettlement() {
    join();
    Subchannel givenUp = join();
    givenUp.giveUp("by the test");
    Path path = paths.lost(givenUp, "by the test");
    assertEquals(0, status(1).faults().losses());
    assertTrue(paths.has(path), "its frames are not settled yet");

    paths.settled(givenUp);
    assertFalse(paths.has(path));
    assertEquals(1, paths.status().size());
  }

  @Test
  void subchannelThatWasNeverLiveHasNoPath() {
    assertNull(paths.lost(rail().subchannel, "by the test"));
  }

  /** A hostile peer may connect from any address. */
  @Test
  void forgetsTheOldestUnavailablePathAtTheLimit() {
    Subchannel oldest = join();
    paths.lost(oldest, "by the test");
    paths.settled(oldest);
    for (int i = 0; i < PathRepository.MAX_PATHS; i++) {
      join();
    }

    assertEquals(PathRepository.MAX_PATHS, paths.status().size());
    assertFalse(paths.has(oldest.path()));
  }

  @Test
  void liveSubchannelsAreOrderedById() {
    FakeRail first = rail();
    FakeRail second = rail();
    paths.joined(second.subchannel);
    paths.joined(first.subchannel);

    assertEquals(List.of(first.subchannel, second.subchannel), paths.live());
    assertSame(second.subchannel, paths.find(1));
    assertNull(paths.find(2));
  }

  @Test
  void isMappedWhileAllRailsAreMapped() {
    assertFalse(paths.isMapped());
    paths.joins(true);
    assertTrue(paths.isMapped());
    paths.joins(false);
    assertFalse(paths.isMapped());
  }

  @Test
  void explanationWithoutAPathNamesTheLastOne() {
    Subchannel lost = join();
    assertEquals("over fake#0 to far/fake (same host, same user)", paths.explain());
    paths.lost(lost, "by the test");

    assertEquals("without a rail now, last far/fake", paths.explain());
  }
}
