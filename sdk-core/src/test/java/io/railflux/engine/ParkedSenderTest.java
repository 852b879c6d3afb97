package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.RendezvousDone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stream that reached its limit of large messages continues when the limit permits it. */
@Tag("RV1")
class ParkedSenderTest {

  private static final int LARGE_BYTES = 300_000;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());

  private void over(long transfer) {
    engines.near.run(() -> engines
        .nearChannel
        .rendezvous()
        .sends()
        .onDone(transfer, RendezvousDone.of(RendezvousDone.ARRIVED)));
    engines.pass(TwoEngines.MILLIS / 10);
  }

  @Test
  void largeMessagesContinueWhenAnEarlierSmallOneIsAcknowledgedLast() {
    Flow flow = engines.flow("mixed").sized(n -> n == 0 ? Long.BYTES : LARGE_BYTES);
    engines.far.freeze();
    flow.send(200);
    engines.near.run(() -> flow.out.demand(0, true));
    engines.pass(TwoEngines.MILLIS);
    for (int transfer = 1; transfer <= RendezvousSends.MOST; transfer++) {
      over(transfer);
    }
    assertEquals(1 + RendezvousSends.MOST, flow.out.messages());
    assertEquals(0, engines.nearChannel.rendezvous().sends().underWay());

    engines.near.run(() -> flow.out.onAcknowledged(1));
    engines.pass(TwoEngines.MILLIS / 10);

    assertEquals(1 + RendezvousSends.MOST, flow.sink.acknowledged);
    assertTrue(flow.out.messages() > 1 + RendezvousSends.MOST, "it waits forever");
  }
}
