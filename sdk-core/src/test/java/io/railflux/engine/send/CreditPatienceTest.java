package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The timer that wakes an engine for a rail without credit. */
@Tag("MR2")
class CreditPatienceTest {

  private static final long MILLIS = 1_000_000;
  private static final long PATIENCE_NANOS = 100 * MILLIS;

  private final FakeEngineContext engine = new FakeEngineContext(new EngineConfig(
      "near",
      EngineConfig.Limits.DEFAULT,
      EngineConfig.Timing.DEFAULT.withCreditPatienceNanos(PATIENCE_NANOS),
      StripingPolicy::roundRobin));

  private final Subchannel rail = rail(0);
  private final CreditPatience patience = new CreditPatience(engine);

  private Subchannel rail(int id) {
    return new FakeRail(engine, SimConfig.rdma().capabilities(), id, 1 << 10).subchannel;
  }

  private void waitForRail() {
    assertTrue(patience.waitsFor(rail));
    engine.pass(MILLIS);
  }

  private int timers() {
    return engine.timers().size();
  }

  @Test
  void shortWaitsShareOneTimer() {
    for (int i = 0; i < 50; i++) {
      waitForRail();
      patience.over();
    }

    assertEquals(1, timers());
    engine.pass(PATIENCE_NANOS);
    assertEquals(0, timers(), "nothing is waited for");
  }

  @Test
  void waitThatBeganAfterTheTimerEndsWithItsOwnPatience() {
    waitForRail();
    patience.over();
    engine.pass(PATIENCE_NANOS / 2);
    waitForRail();
    long began = engine.nowNanos() - MILLIS;
    engine.pass(PATIENCE_NANOS / 2);

    long left = engine.timers().untilNextNanos(engine.nowNanos());
    assertEquals(began + PATIENCE_NANOS, engine.nowNanos() + left);
    engine.pass(left);
    assertFalse(patience.waitsFor(rail));
    assertEquals(0, timers());
  }

  @Test
  void waitForAnotherRailStartsOver() {
    waitForRail();
    engine.pass(PATIENCE_NANOS - 2 * MILLIS);
    assertTrue(patience.waitsFor(rail(1)));
    engine.pass(PATIENCE_NANOS / 2);

    assertTrue(patience.waitsFor(rail));
    engine.pass(PATIENCE_NANOS);
    assertFalse(patience.waitsFor(rail));
  }

  @Test
  void awaitedRailMustBeLive() {
    assertEquals(-1, patience.awaited(List.of(rail)));
    waitForRail();

    assertEquals(1, patience.awaited(List.of(rail(1), rail)));
    assertEquals(-1, patience.awaited(List.of(rail(1))));
    patience.end();
    assertEquals(-1, patience.awaited(List.of(rail)));
  }

  @Test
  void doesNotWaitWithoutPatience() {
    FakeEngineContext impatient = new FakeEngineContext();

    assertFalse(new CreditPatience(impatient).waitsFor(rail));
    assertEquals(0, impatient.timers().size());
  }
}
