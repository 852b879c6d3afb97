package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.sim.SimConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The timer that wakes an engine for a rail without credit. */
@Tag("MR2")
class CreditPatienceTest {

  private static final long PATIENCE_NANOS = 100 * TwoEngines.MILLIS;

  private final Subchannel rail =
      TwoEngines.connected(SimConfig.rdma()).nearChannel.live().get(0);

  /** An engine whose only timers are those of this class. */
  private final TwoEngines idle = TwoEngines.apart(Setting.of(SimConfig.rdma())
      .with(EngineConfig.Timing.DEFAULT.withCreditPatienceNanos(PATIENCE_NANOS)));

  private final CreditPatience patience = new CreditPatience(idle.near.engine());

  private void waitForRail() {
    idle.near.run(() -> assertTrue(patience.waitsFor(rail)));
    idle.pass(TwoEngines.MILLIS);
  }

  private int timers() {
    return idle.near.engine().timers().size();
  }

  @Test
  void shortWaitsShareOneTimer() {
    for (int i = 0; i < 50; i++) {
      waitForRail();
      patience.over();
    }

    assertEquals(1, timers());
    idle.pass(PATIENCE_NANOS);
    assertEquals(0, timers(), "no wait is pending");
  }

  @Test
  void waitThatBeganAfterTheTimerEndsWithItsOwnPatience() {
    waitForRail();
    patience.over();
    idle.pass(PATIENCE_NANOS / 2);
    waitForRail();
    long began = idle.network.now() - TwoEngines.MILLIS;
    idle.pass(PATIENCE_NANOS / 2);

    long left = idle.near.engine().untilNextTimerNanos(idle.network.now());
    long late = idle.network.now() + left - (began + PATIENCE_NANOS);
    assertTrue(Math.abs(late) <= 10_000, () -> late + " ns late");
    idle.pass(left + TwoEngines.MILLIS);
    assertFalse(patience.waitsFor(rail));
    assertEquals(0, timers());
  }
}
