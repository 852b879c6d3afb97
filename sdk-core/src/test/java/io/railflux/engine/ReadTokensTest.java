package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.path.BulkLane;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads never exceed the limit of an endpoint. Reads without a token wait for their turn. */
class ReadTokensTest {

  private static SimConfig network(int reads) {
    SimConfig network = SimConfig.rdma();
    Capabilities can = network.capabilities();
    return network.withCapabilities(new Capabilities(
        can.features(),
        can.maxSendBytes(),
        can.maxInlineBytes(),
        can.sendQueueDepth(),
        can.receiveQueueDepth(),
        can.eagerLimitBytes(),
        reads));
  }

  private static EngineConfig.Large inChunks() {
    return EngineConfig.Large.DEFAULT
        .withMode(Rendezvous.READ)
        .withPieces(new EngineConfig.Large.Pieces(2_000, 16 << 20, 4 << 20));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  @Tag("RV4")
  void concurrentReadsAreLimitedByTokens(int tokens) {
    TwoEngines engines =
        TwoEngines.connected(TwoEngines.Setting.of(network(tokens)).with(inChunks()));
    Flow flow = engines.flow("large").sized(40_000).send(30).receive();
    BulkLane lane = engines.farChannel.live().get(0).lane();
    int[] most = {0};
    engines.await(() -> {
      most[0] = Math.max(most[0], lane.readsOutstanding());
      return flow.ended();
    });

    flow.assertReceived(30);
    assertEquals(tokens, most[0]);
    assertEquals(0, lane.readsOutstanding());
  }

  /** With one token, chunks and messages take turns, and none is skipped. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Tag("RV4")
  void readsOfDifferentMessagesTakeTurns(int tokens) {
    TwoEngines engines =
        TwoEngines.connected(TwoEngines.Setting.of(network(tokens)).with(inChunks()));
    List<String> order = new ArrayList<>();
    Flow large = engines.flow("large").sized(200_000).send(1).receive();
    Flow small = engines.flow("small").sized(20_000).send(3).receive();
    large.onReceived = n -> order.add("large");
    small.onReceived = n -> order.add("small");
    engines.await(() -> large.ended() && small.ended());

    assertEquals(List.of("small", "small", "small", "large"), order);
  }
}
