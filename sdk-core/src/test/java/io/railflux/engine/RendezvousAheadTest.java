package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many large messages of a stream are under way: as many as keep the path busy. */
class RendezvousAheadTest {

  private static final int LARGE_BYTES = 1 << 20;
  private static final long MILLIS = TwoEngines.MILLIS;

  private int mostUnderWay(SimConfig network, int messages) {
    TwoEngines engines = TwoEngines.connected(
        TwoEngines.Setting.of(network).with(EngineConfig.Large.DEFAULT.withMode(Rendezvous.WRITE)));
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(messages).receive();
    int[] most = {0};
    engines.await(() -> {
      most[0] = Math.max(most[0], engines.nearChannel.rendezvous().sends().underWay());
      return flow.ended();
    });
    flow.assertReceived(messages);
    return most[0];
  }

  @Test
  @Tag("RV1")
  void oneIsMovedOneIsNextAndOneIsEncodedOnAShortPath() {
    assertEquals(3, mostUnderWay(SimConfig.rdma(), 50));
  }

  @Test
  @Tag("RV1")
  void manyAreUnderWayOnALongPath() {
    LinkModel across = new LinkModel(MILLIS, MILLIS, 4_000_000_000L);

    int most = mostUnderWay(SimConfig.rdma().withLink(across), 200);

    assertTrue(most >= 16, () -> most + " at most");
  }
}
