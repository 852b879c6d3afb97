package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.Wraps;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Sinks;

/** Losses of endpoints, rails and peers lose and duplicate no message. */
class RailRecoveryTest {

  private static final int COUNT = 5_000;
  private static final int BODY_BYTES = 1_000;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.unordered());
  }

  private static Flow underWay(TwoEngines engines) {
    Flow flow = engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive();
    engines.await(() -> flow.received.size() > COUNT / 10);
    return flow;
  }

  private static void assertAllArrivedOnce(TwoEngines engines, Flow flow) {
    engines.await(flow::ended);
    flow.assertReceived(COUNT);
    assertTrue(flow.sink.completed && flow.completed);
    assertEquals(COUNT, flow.sink.acknowledged);
    assertEquals(
        0, engines.farChannel.counters().duplicatesDropped(), "replayed frames that had arrived");
  }

  @ParameterizedTest
  @MethodSource("networks")
  @Tag("FT1")
  @Tag("FT3")
  @Tag("FT4")
  void lossOfTheOnlyRailResumesWithoutLossOrDuplicates(SimConfig network) {
    TwoEngines engines = TwoEngines.connected(network);
    Flow flow = underWay(engines);

    engines.link(0).blackHole();
    engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED);
    engines.pass(50 * TwoEngines.MILLIS);
    assertTrue(flow.received.size() < COUNT);
    engines.link(0).heal();

    assertAllArrivedOnce(engines, flow);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    assertTrue(engines.nearChannel.counters().endpointsLost() > 0);
    assertTrue(engines.nearChannel.counters().framesReplayed() > 0);
    engines.awaitQuiet();
  }

  /** Each connection ends with its first message, when few of the other side's frames are acknowledged. */
  @Test
  @Tag("FT1")
  @Tag("FT4")
  void resumesOverManyConnectionsThatEachEndWithinAWindow() {
    int count = 20_000;
    TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
    Flow flow = engines.flow("numbers").sized(8 * BODY_BYTES).send(count).receive();
    engines.await(() -> !flow.received.isEmpty());

    for (int loss = 0; loss < 100; loss++) {
      int before = flow.received.size();
      engines.await(() -> flow.received.size() > before && engines.nearChannel.hasLiveRail());
      engines.nearChannel.failSubchannel(engines.nearChannel.live().get(0), "ended by the test");
    }

    assertTrue(flow.received.size() < count);
    engines.await(flow::ended);
    flow.assertReceived(count);
    assertEquals(
        0, engines.farChannel.counters().duplicatesDropped(), "replayed frames that had arrived");
    engines.awaitQuiet();
  }

  @ParameterizedTest
  @MethodSource("networks")
  @Tag("MR1")
  @Tag("MR4")
  void streamContinuesOverTheSecondRail(SimConfig network) {
    TwoEngines engines = TwoEngines.connected(network.withRails(2));
    Flow flow = underWay(engines);

    engines.link(0).down();

    assertAllArrivedOnce(engines, flow);
    assertEquals(1, engines.nearChannel.live().size());
    assertTrue(engines.nearChannel.counters().endpointsLost() > 0);

    engines.link(0).heal();
    engines.await(() -> engines.nearChannel.live().size() == 2);
  }

  @Test
  @Tag("MR1")
  void bothRailsCarryOneStream() {
    TwoEngines engines = TwoEngines.connected(SimConfig.rdma().withRails(2));
    Flow flow = engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive();
    assertAllArrivedOnce(engines, flow);

    for (Subchannel subchannel : engines.farChannel.live()) {
      long share = subchannel.incoming.consumed();
      assertTrue(share > (long) COUNT * BODY_BYTES / 4, subchannel + " carried " + share + " B");
    }
  }

  @Test
  @Tag("FT5")
  void partitionPausesWithBoundedMemoryAndResumes() {
    EngineConfig.Limits limits =
        EngineConfig.Limits.DEFAULT.withMaxMessageBytes(8 << 10).withRingBytes(64 << 10);
    TwoEngines engines = TwoEngines.connected(
        TwoEngines.Setting.of(SimConfig.rdma().withRails(2)).with(limits));
    Flow flow = underWay(engines);

    engines.link(0).blackHole();
    engines.link(1).blackHole();
    engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED);
    long sent = flow.out.messages();
    engines.pass(2_000 * TwoEngines.MILLIS);

    assertEquals(sent, flow.out.messages(), "messages were accepted without a rail");
    assertTrue((sent - flow.sink.acknowledged) * BODY_BYTES <= 2L * limits.ringBytes());
    engines.link(0).heal();
    engines.link(1).heal();
    assertAllArrivedOnce(engines, flow);
  }

  @Test
  void restartedPeerIsDetected() {
    TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
    Flow flow = engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive(COUNT / 2);
    Throwable[] received = new Throwable[1];
    engines.near.run(() -> new PeerFlux.Messages(engines.nearChannel.streams(), "other", "numbers")
        .subscribe(frame -> {}, error -> received[0] = error));
    engines.await(() -> flow.sink.acknowledged >= COUNT / 2);
    VirtualChannel before = engines.nearChannel;

    engines.far.kill();
    engines.far.restart();
    engines.listen(engines.far.engine().rails().get(0));
    engines.await(before::isClosed);

    var unknown = assertInstanceOf(DeliveryUnknownException.class, flow.sink.failure);
    assertEquals(flow.sink.acknowledged, unknown.acknowledgedCount());
    assertTrue(unknown.getMessage().contains("restarted"), unknown.getMessage());
    assertInstanceOf(PeerUnreachableException.class, received[0]);
  }

  @Test
  void newSessionBeginsAfterARestart() {
    TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
    engines.far.kill();
    engines.far.restart();
    engines.nearChannel = null;
    engines.farChannel = null;
    engines.connect();
    assertNotNull(engines.nearChannel);

    Flow flow = engines.flow("numbers").send(3).receive();
    engines.await(flow::ended);
    flow.assertReceived(3);
  }

  static long[] origins() {
    return Wraps.all();
  }

  /** A rail is lost in the middle, so that RESUME and the replay cross the wrap as well. */
  @ParameterizedTest
  @MethodSource("origins")
  void numbersMayCrossEveryWrap(long first) {
    EngineHost.SequenceOrigins origins = new EngineHost.SequenceOrigins() {
      @Override
      public long firstPsn() {
        return first;
      }

      @Override
      public long firstStreamSeq() {
        return first;
      }
    };
    SimConfig network = SimConfig.rdma().withRails(2);
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(network).with(origins));
    Flow flow = engines.flow("numbers").sized(BODY_BYTES).send(COUNT).receive();
    engines.await(() -> flow.received.size() > 5);
    engines.link(1).blackHole();

    assertAllArrivedOnce(engines, flow);
  }

  /** The link fails whenever the frame is in flight, and recovers for the handshakes. */
  @Test
  @Tag("FT3")
  void frameThatBreaksEveryRailEndsTheSession() {
    EngineConfig.RetryPolicy twice =
        new EngineConfig.RetryPolicy(TwoEngines.MILLIS, TwoEngines.MILLIS, 2);
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(
            SimConfig.rdma().withLink(LinkModel.FAST.withLatency(50_000, 50_000)))
        .with(EngineConfig.Timing.DEFAULT.withDetectNanos(2 * TwoEngines.MILLIS).withRetry(twice)));
    engines.awaitQuiet();
    Flow flow = engines.flow("poison").send(1);
    engines.await(() -> engines.nearChannel.readings().unacknowledgedFrames() > 0);
    for (int lost = 0; lost < 50 && !flow.sink.ended(); lost++) {
      long replayed = engines.nearChannel.counters().framesReplayed();
      engines.link(0).down();
      engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED);
      engines.link(0).heal();
      engines.await(
          () -> engines.nearChannel.counters().framesReplayed() > replayed || flow.sink.ended());
    }

    assertInstanceOf(DeliveryUnknownException.class, flow.sink.failure);
    String message = flow.sink.failure.getMessage();
    assertTrue(message.contains("was lost with 2 rails in succession"), message);
  }

  /** The missing frame may be the announcement, so the end is no violation. */
  @Test
  @Tag("MR4")
  void endOfAnUnknownStreamWaitsForTheMissingFrame() {
    TwoEngines engines = TwoEngines.connected(SimConfig.rdma().withRails(2));
    Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = engines.flow("numbers").send(source.asFlux()).receive();
    engines.await(() -> flow.out != null && flow.out.state() == OutboundStream.State.FLOWING);
    // Silences the rail of the next frame; the frame after it uses the other rail.
    engines.near.run(() -> {
      source.tryEmitNext(0L).orThrow();
      engines.nearChannel.sendPath().publishGathered();
      SendWindow window = engines.nearChannel.sendPath().window();
      engines.link(1 - window.carrier(window.next() - 1).rail.index()).blackHole();
    });
    engines.await(() -> flow.received.size() == 1);
    // Control frames use the rail with the fewest bytes in flight.
    engines.awaitQuiet();
    Flow other = engines.flow("empty").receive().send(0);
    engines.await(() -> other.out != null && other.out.state() == OutboundStream.State.HALF_CLOSED);
    engines.pass(TwoEngines.MILLIS);
    assertTrue(
        engines.farChannel.streams().inbound().stream()
            .noneMatch(in -> in.name().equals("empty")),
        "its announcement is lost");

    engines.await(other::ended);

    assertTrue(other.completed && other.sink.completed);
    assertEquals(1, engines.farChannel.streams().inbound().size());
  }
}
