package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.policy.Rendezvous;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The number of large messages of a stream in flight: as many as keep the path busy. */
class RendezvousAheadTest {

  private static final int LARGE_BYTES = 1 << 20;
  private static final long MILLIS = TwoEngines.MILLIS;

  private int maxUnderWay(SimConfig network, Rendezvous mode, int messages) {
    TwoEngines engines = TwoEngines.connected(
        TwoEngines.Setting.of(network).with(EngineConfig.Large.DEFAULT.withMode(mode)));
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
  void movesOneQueuesOneAndEncodesOneWithinAHost() {
    assertEquals(3, maxUnderWay(SimConfig.rdma(), Rendezvous.WRITE, 50));
  }

  @ParameterizedTest
  @EnumSource(Rendezvous.class)
  @Tag("RV1")
  void manyAreInFlightBetweenHosts(Rendezvous mode) {
    LinkModel across = new LinkModel(MILLIS, MILLIS, 4_000_000_000L);
    SimConfig network = SimConfig.rdma().withLink(across).withProtection(Protection.TLS_MUTUAL);

    assertEquals(1 + 16 + 1, maxUnderWay(network, mode, 200));
  }

  @Test
  @Tag("RV1")
  void requestsLeaveStreamsTheirShare() {
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(SimConfig.rdma())
        .with(EngineConfig.Large.DEFAULT.withReceiveBudgetBytes(LARGE_BYTES)));
    RendezvousSends sends = engines.nearChannel.rendezvous().sends();
    PooledBuffer none = engines.far.engine().landingMemory().take(() -> {}, LARGE_BYTES);
    LargeMemory.Claimant request = () -> {};
    boolean[] over = {false};
    engines.near.run(() -> {
      for (int i = 0; i < RendezvousSends.MOST / 2; i++) {
        sends.claimRequest(request, 1_000).bodyBytes = 1_000;
        sends.commitRequest(0, 1_000 + i, 0, Marker.REQUEST);
      }
      assertNull(sends.claimRequest(request, 1_000));
      assertNotNull(sends.claim(request, 1_000, false), "of a stream");
      sends.drop(request);
      over[0] = true;
    });
    engines.await(() -> over[0]);
    none.release();
  }
}
