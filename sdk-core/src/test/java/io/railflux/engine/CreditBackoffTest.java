package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.StripingPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages whose chosen rail has no space. */
@Tag("MR2")
class CreditBackoffTest {

  private static final int COUNT = 400;
  private static final int BODY_BYTES = 4_000;
  private static final long SLOW = 20_000_000;

  private TwoEngines engines;

  /** Connects over two rails. The policy always chooses the first one. */
  private void connect(long patienceNanos) {
    // The rings fill up, but the log does not.
    EngineConfig.Limits limits =
        new EngineConfig.Limits(64 << 10, 1 << 20, 1024, BODY_BYTES, 8, 8, 8);
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT.withCreditPatienceNanos(patienceNanos);
    engines = TwoEngines.connected(Setting.of(SimConfig.rdma().withRails(2))
        .with(limits)
        .with(timing)
        .with(StripingPolicy::binding));
  }

  private long written(int rail) {
    return engines.nearChannel.live().get(rail).writer().ring().written();
  }

  private Flow begin() {
    return engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive();
  }

  private void end(Flow flow) {
    engines.await(flow::ended);
    flow.assertReceived(COUNT);
  }

  @Test
  void messagesWaitForTheirRailUntilTheBound() {
    connect(TwoEngines.PATIENCE_NANOS);
    long before = written(1);
    engines.link(0).crawl(SLOW);
    end(begin());

    assertTrue(written(1) - before < BODY_BYTES, "used the other rail");
    assertTrue(engines.nearChannel.readings().creditStalls() > 0, "space was always available");
  }

  @Test
  void messagesUseAnotherRailAfterTheBound() {
    connect(TwoEngines.MILLIS);
    long before = written(1);
    engines.link(0).crawl(SLOW / 4);
    end(begin());

    assertTrue(written(1) - before > (long) COUNT * BODY_BYTES / 4, "waited for the slow one");
  }

  @Test
  void messagesDoNotWaitForALostRail() {
    connect(Long.MAX_VALUE / 4);
    engines.link(0).crawl(SLOW);
    Flow flow = begin();
    engines.await(() -> engines.nearChannel.readings().creditStalls() > 0);
    engines.link(0).down();

    end(flow);
    assertEquals(1, TwoEngines.live(engines.nearChannel));
  }
}
