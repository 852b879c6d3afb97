package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.send.SendPath;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameType;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

/** Only the demand of a subscriber and the space in its ring permit a producer to continue. */
@Tag("CH1")
class CreditsTest {

  private static final int RING_BYTES = 64 << 10;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.unordered(), SimConfig.mapped());
  }

  private static TwoEngines connected(SimConfig network) {
    EngineConfig.Limits limits =
        EngineConfig.Limits.DEFAULT.withMaxMessageBytes(8 << 10).withRingBytes(RING_BYTES);
    return TwoEngines.connected(TwoEngines.Setting.of(network).with(limits));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void sourceReceivesNoMoreThanTheDemandOfTheSubscriber(SimConfig network) {
    TwoEngines engines = connected(network);
    long[] asked = new long[1];
    Flux<Long> source =
        Flux.range(0, 1_000).map(Integer::longValue).hide().doOnRequest(n -> asked[0] += n);
    Flow flow = engines.flow("numbers").send(source).receive(0);
    long requested = 0;
    for (int n : new int[] {1, 5, 300, 1}) {
      requested += n;
      flow.request(n);
      engines.pass(2 * TwoEngines.MILLIS);

      flow.assertReceived(requested);
      assertEquals(requested, asked[0]);
      assertEquals(0, flow.out.openDemand());
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void allCreditReturns(SimConfig network) {
    TwoEngines engines = connected(network);
    Flow flow = engines.flow("numbers").sized(5_000).send(500).receive();
    engines.await(flow::ended);
    engines.pass(TwoEngines.MILLIS);

    flow.assertReceived(500);
    assertEquals(0, engines.nearChannel.ringOccupancyBytes());
    assertEquals(0, engines.farChannel.ringOccupancyBytes());
    assertEquals(0, engines.nearChannel.unacknowledgedFrames());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void receiverThatReadsNothingStopsTheSenderAtItsRing(SimConfig network) {
    TwoEngines engines = connected(network);
    Flow flow = engines.flow("numbers").sized(1_000).send(10_000).receive();
    engines.await(() -> flow.received.size() > 100);
    engines.far.freeze();
    engines.pass(10 * TwoEngines.MILLIS);
    long sent = flow.out.messages();
    engines.pass(10 * TwoEngines.MILLIS);

    assertEquals(sent, flow.out.messages());
    assertTrue(engines.nearChannel.ringOccupancyBytes() <= RING_BYTES);
    assertTrue((sent - flow.received.size()) * 1_000 <= RING_BYTES);
    engines.far.thaw();
    engines.await(flow::ended);
    flow.assertReceived(10_000);
  }

  /** Other threads read gauges. Writes by these threads would overtake the positions of the engine. */
  @Test
  void gaugesDoNotModifyTheRing() {
    TwoEngines engines = connected(SimConfig.mapped());
    OutgoingRing ring = engines.nearChannel.live().get(0).writer().ring();
    SendPath path = engines.nearChannel.sendPath();
    assertNotNull(path.claimFrame(0, 8, 0, Marker.STREAM));
    path.commit(null, FrameType.DATA, 0, 1, 0);
    long written = ring.written();

    assertEquals(RING_BYTES, engines.nearChannel.ringCapacityBytes());
    engines.nearChannel.ringOccupancyBytes();

    assertEquals(written, ring.written());
  }
}
