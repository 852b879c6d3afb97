package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Depth;
import io.railflux.HeapSnapshot;
import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The memory of a large message is released with the message. The simulated network keeps registrations as devices do,
 * except for memory that a pool releases. The budgets are smaller than a message, so no memory of its size is kept.
 */
@Tag("RV1")
class LargeMemoryReleaseTest {

  private static final int MESSAGE_BYTES = 6 << 20;
  private static final int LARGE_BYTES = 5 << 20;
  private static final int BUDGET_BYTES = 1 << 20;

  /** The default is first. */
  static Stream<Rendezvous> modes() {
    return Stream.of(Rendezvous.values()).limit(Depth.of(1, Rendezvous.values().length));
  }

  private static TwoEngines connected(Rendezvous mode) {
    return TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
        .with(EngineConfig.Large.DEFAULT
            .withMode(mode)
            .withSendBudgetBytes(BUDGET_BYTES)
            .withReceiveBudgetBytes(BUDGET_BYTES)));
  }

  private static void assertNothingHeld(TwoEngines engines) {
    engines.pass(10 * TwoEngines.MILLIS);
    for (DrivenEngine node : List.of(engines.near, engines.far)) {
      assertEquals(0, node.engine().largeMessageBytes());
      assertTrue(node.engine().keptMessageBytes() <= 2 * BUDGET_BYTES);
    }
    assertEquals(List.of(), HeapSnapshot.take().largeMemory(LARGE_BYTES, Set.of()));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void releasesMemoryOfACompletedStream(Rendezvous mode) {
    TwoEngines engines = connected(mode);
    Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(3).receive();
    engines.await(flow::ended);
    flow.assertReceived(3);

    assertNothingHeld(engines);
  }

  @ParameterizedTest
  @MethodSource("modes")
  void releasesMemoryOfACancelledStream(Rendezvous mode) {
    TwoEngines engines = connected(mode);
    Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
    engines.await(() -> flow.received.size() >= 2);
    flow.cancel();
    engines.await(flow.sink::ended);

    assertNothingHeld(engines);
  }

  /** The test retains both channels. */
  @ParameterizedTest
  @MethodSource("modes")
  void releasesMemoryOfAnEndedSession(Rendezvous mode) {
    TwoEngines engines = connected(mode);
    Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
    engines.await(() -> flow.received.size() >= 2);
    engines.near.run(() -> engines.nearChannel.abort("test"));
    engines.await(() -> engines.farChannel.isClosed());

    assertNothingHeld(engines);
  }

  @ParameterizedTest
  @MethodSource("modes")
  void releasesMemoryOfAClosedNode(Rendezvous mode) {
    TwoEngines engines = connected(mode);
    Flow flow = engines.flow("large").sized(MESSAGE_BYTES).send(60).receive();
    engines.await(() -> flow.received.size() >= 2);
    engines.near.run(() -> engines.near.engine().close("test"));
    engines.await(() -> engines.farChannel.isClosed());

    assertNothingHeld(engines);
  }
}
