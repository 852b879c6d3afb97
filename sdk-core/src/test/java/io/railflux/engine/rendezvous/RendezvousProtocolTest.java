package io.railflux.engine.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DrivenEngine;
import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.EngineConfig;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Large messages over every kind of network, written or read, complete, in order and exactly once. */
public class RendezvousProtocolTest {

  private static final int LARGE_BYTES = 300_000;

  /** Networks with the side that moves the data. READ writes where reads are impossible. */
  static Stream<Arguments> networks() {
    List<Arguments> all = new ArrayList<>();
    for (SimConfig network : List.of(
        SimConfig.rdma(),
        SimConfig.unordered(),
        SimConfig.mapped(),
        SimConfig.of(io.railflux.fabric.Capabilities.Feature.ORDERED_PLACEMENT))) {
      for (Rendezvous mode : Rendezvous.values()) {
        all.add(Arguments.of(network, mode));
      }
    }
    return all.stream();
  }

  private static TwoEngines.Setting setting(SimConfig network, Rendezvous mode) {
    return TwoEngines.Setting.of(network).with(EngineConfig.Large.DEFAULT.withMode(mode));
  }

  private static void assertAllArrived(TwoEngines engines, Flow flow, int count) {
    engines.await(flow::ended);
    flow.assertReceived(count);
    assertTrue(flow.sink.completed && flow.completed, () -> flow.sink.failure + " " + flow.error);
    assertEquals(count, flow.sink.acknowledged);
    assertNothingHeld(engines);
  }

  public static void assertNothingHeld(TwoEngines engines) {
    engines.awaitQuiet();
    assertMemoryGivenBack(engines);
    assertEquals(0, engines.nearChannel.largeMessages() + engines.farChannel.largeMessages());
  }

  private static void assertMemoryGivenBack(TwoEngines engines) {
    for (DrivenEngine engine : List.of(engines.near, engines.far)) {
      assertEquals(0, engine.engine().sourceMemory().outstandingBytes(), "memory of sends");
      assertEquals(0, engine.engine().landingMemory().outstandingBytes(), "memory of receives");
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  @Tag("RV1")
  @Tag("RV2")
  void largeMessagesArriveCompletelyInOrderAndOnce(SimConfig network, Rendezvous mode) {
    TwoEngines engines = TwoEngines.connected(setting(network, mode));
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(40).receive();

    assertAllArrived(engines, flow, 40);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void smallAndLargeMessagesOfAStreamKeepTheirOrder(SimConfig network, Rendezvous mode) {
    TwoEngines engines = TwoEngines.connected(setting(network, mode));
    Flow flow = engines
        .flow("mixed")
        .sized(n -> n % 3 == 0 ? LARGE_BYTES : 100)
        .send(60)
        .receive();

    assertAllArrived(engines, flow, 60);
  }

  @ParameterizedTest
  @MethodSource("networks")
  @Tag("FT3")
  void lostEndpointOnlyDelaysMessages(SimConfig network, Rendezvous mode) {
    TwoEngines engines = TwoEngines.connected(setting(network.withRails(2), mode));
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(60).receive();
    int lost = 0;
    while (!flow.ended() && lost < 12) {
      int before = flow.received.size() + 1;
      engines.await(() -> flow.received.size() >= before || flow.ended());
      engines.pass(TwoEngines.MILLIS / 20 * (lost % 5));
      engines.near.run(() -> engines.nearChannel.live().stream()
          .findFirst()
          .ifPresent(subchannel -> subchannel.endpoint.fence("test")));
      engines.await(() -> TwoEngines.live(engines.nearChannel) > 0 || flow.ended());
      lost++;
    }

    assertTrue(engines.nearChannel.counters().endpointsLost() > 0);
    assertAllArrived(engines, flow, 60);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void cancellationDuringTransferReleasesAllMemory(SimConfig network, Rendezvous mode) {
    TwoEngines engines = TwoEngines.connected(setting(network, mode));
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(60).receive();
    engines.await(() -> flow.received.size() >= 5);
    flow.cancel();
    engines.await(flow.sink::ended);

    assertInstanceOf(StreamCancelledException.class, flow.sink.failure);
    engines.await(() -> engines.nearChannel.largeMessages() == 0);
    assertNothingHeld(engines);
    Flow next = engines.flow("next").sized(LARGE_BYTES).send(5).receive();
    assertAllArrived(engines, next, 5);
  }

  /** The last messages are still in flight when the sender announces the next stream with that name. */
  @ParameterizedTest
  @MethodSource("networks")
  void senderThatCancelsMaySendAgainImmediately(SimConfig network, Rendezvous mode) {
    EngineConfig.Limits one = EngineConfig.Limits.DEFAULT.withMaxStreams(1);
    TwoEngines engines = TwoEngines.connected(setting(network, mode).with(one));
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(60).receive();
    engines.await(() -> flow.received.size() >= 5);
    engines.near.run(() -> flow.out.cancel(new IllegalStateException("cancelled by the test")));
    Flow next = engines.flow("large").sized(LARGE_BYTES).send(5);
    engines.await(() -> flow.error != null);
    assertInstanceOf(RemoteStreamException.class, flow.error);

    next.receive();
    assertAllArrived(engines, next, 5);
  }

  /** The test covers every state of a message: offered, granted, read and landed. */
  @ParameterizedTest
  @MethodSource("networks")
  void endOfTheSessionDuringTransferReleasesAllMemory(SimConfig network, Rendezvous mode) {
    for (int moment = 0; moment < 40; moment++) {
      TwoEngines engines = TwoEngines.connected(setting(network, mode));
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(60).receive();
      engines.await(() -> !flow.received.isEmpty());
      engines.pass(TwoEngines.MILLIS / 100 * moment);
      engines.near.run(() -> engines.nearChannel.abort("test"));
      engines.far.run(() -> engines.farChannel.abort("test"));
      engines.pass(TwoEngines.MILLIS);

      assertMemoryGivenBack(engines);
    }
  }
}
