package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameType;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Flow control between two peers: demand, credit, the reserve, and fairness. */
class FlowControlTest {

  /** Only the demand of a subscriber and the space in its ring permit a producer to continue. */
  @Tag("CH1")
  @Nested
  class Credits {

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
      assertEquals(0, engines.nearChannel.readings().ringOccupancyBytes());
      assertEquals(0, engines.farChannel.readings().ringOccupancyBytes());
      assertEquals(0, engines.nearChannel.readings().unacknowledgedFrames());
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
      assertTrue(engines.nearChannel.readings().ringOccupancyBytes() <= RING_BYTES);
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

      assertEquals(RING_BYTES, engines.nearChannel.readings().ringCapacityBytes());
      engines.nearChannel.readings().ringOccupancyBytes();

      assertEquals(written, ring.written());
    }
  }

  /** Messages whose chosen rail has no space. */
  @Tag("MR2")
  @Nested
  class CreditBackoff {

    private static final int COUNT = 400;
    private static final int BODY_BYTES = 4_000;
    private static final long SLOW = 20_000_000;

    private TwoEngines engines;

    /** Connects over two rails. The policy always chooses the first one. */
    private void connect(long patienceNanos) {
      // The rings fill up, but the log does not.
      EngineConfig.Limits limits =
          new EngineConfig.Limits(64 << 10, 1 << 20, 1024, BODY_BYTES, 8, 8, 8);
      EngineConfig.Timing timing =
          EngineConfig.Timing.DEFAULT.withCreditPatienceNanos(patienceNanos);
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

  /** Messages never use the reserve of sequence numbers, independent of control frames sent from it. */
  @Tag("CH1")
  @Nested
  class Reserve {

    private static final int WINDOW = EngineConfig.Limits.MIN_REORDER_WINDOW;
    private static final int MESSAGES = WINDOW - 256;

    static Stream<SimConfig> networks() {
      return Stream.of(SimConfig.rdma(), SimConfig.unordered(), SimConfig.mapped());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void controlFrameOfTheReserveDoesNotOpenItToMessages(SimConfig network) {
      TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(network)
          .with(EngineConfig.Limits.DEFAULT.withReorderWindow(WINDOW)));
      Sinks.Many<Long> first = Sinks.many().unicast().onBackpressureBuffer();
      Sinks.Many<Long> second = Sinks.many().unicast().onBackpressureBuffer();
      Flow one = engines.flow("one").send(first.asFlux()).receive();
      Flow other = engines.flow("other").send(second.asFlux()).receive();
      engines.awaitQuiet();
      engines.far.freeze();

      engines.near.run(() -> {
        emit(engines, first, MESSAGES);
        first.tryEmitComplete();
        emit(engines, second, WINDOW);
      });
      engines.pass(TwoEngines.MILLIS);

      // One of the reserve is the COMPLETE.
      assertEquals(MESSAGES + 1, engines.nearChannel.readings().unacknowledgedFrames());
      engines.far.thaw();
      engines.near.run(second::tryEmitComplete);
      engines.await(() -> one.ended() && other.ended());
      one.assertReceived(MESSAGES);
      other.assertReceived(WINDOW);
      assertTrue(one.completed && other.completed);
    }

    /** Emits each number in a separate frame. */
    private static void emit(TwoEngines engines, Sinks.Many<Long> numbers, long count) {
      for (long i = 0; i < count; i++) {
        numbers.tryEmitNext(i);
        engines.nearChannel.sendPath().publishGathered();
      }
    }
  }

  /** Sharing of a peer's ring: streams by bytes, and control frames before messages. */
  @Nested
  class Fairness {

    private TwoEngines engines;

    @BeforeEach
    void connect() {
      EngineConfig.Limits limits =
          EngineConfig.Limits.DEFAULT.withMaxMessageBytes(1 << 20).withRingBytes(256 << 10);
      EngineConfig.Large large = EngineConfig.Large.DEFAULT.withEagerLimitBytes(32 << 10);
      engines = TwoEngines.connected(
          TwoEngines.Setting.of(SimConfig.rdma()).with(limits).with(large));
    }

    /** Rendezvous messages have their own turns. Messages through the ring never wait for their end. */
    @Test
    void rendezvousDoesNotBlockOtherMessages() {
      Flow large = engines.flow("large").sized(1 << 20).send(1_000_000).receive();
      engines.await(() -> large.received.size() > 3);
      Flow small = engines.flow("small").send(5_000).receive();
      int before = large.received.size();
      engines.await(small::ended);

      small.assertReceived(5_000);
      assertTrue(large.received.size() - before < 40, "small messages waited for large ones");
    }

    /** The far side reads nothing, and messages have used all space that is available to them. */
    private ControlQueue stalled() {
      Flow flow = engines.flow("numbers").sized(32).send(1_000_000).receive();
      engines.await(() -> flow.received.size() > 100);
      engines.far.freeze();
      engines.pass(20 * TwoEngines.MILLIS);
      return engines.nearChannel.control();
    }

    private static ControlFrame nothing() {
      return new ControlFrame(FrameType.REJECT, 0, 0, 0);
    }

    @Test
    void controlFramesOvertakeWaitingMessages() {
      ControlQueue control = stalled();
      SendPath path = engines.nearChannel.sendPath();
      assertNull(path.claimFrame(0, 32, 0, Marker.STREAM));
      long before = path.window().next();
      control.send(nothing());
      assertEquals(before + 1, path.window().next());
      assertEquals(0, control.waiting());
    }

    @Test
    void controlFramesWithoutSpaceKeepTheirOrderAndTheLastReserve() {
      ControlQueue control = stalled();
      SendPath path = engines.nearChannel.sendPath();
      while (!control.isBlocked()) {
        control.send(new ControlFrame(FrameType.GOODBYE + 100, 0x80, 0, 0));
      }
      long psn = path.window().next();
      control.send(new ControlFrame(FrameType.GOODBYE + 101, 0x80, 0, 0));

      assertEquals(psn, path.window().next(), "later frames wait behind earlier ones");
      assertEquals(2, control.waiting());
      assertTrue(control.sendAtOnce(new ControlFrame(FrameType.GOODBYE + 102, 0x80, 0, 0)));
      assertEquals(psn + 1, path.window().next());

      engines.far.thaw();
      engines.await(() -> control.waiting() == 0);
      assertFalse(control.isBlocked());
      assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    }

    @Test
    void waitingDemandIsSentOnceAndInTotal() {
      Flow flow = engines.flow("numbers").send(10_000).receive(1);
      engines.await(() -> flow.received.size() == 1);
      long before = engines.farChannel.sendPath().window().next();
      engines.far.run(() -> {
        for (int i = 0; i < 1_000; i++) {
          flow.subscription.request(1);
        }
      });
      engines.await(() -> flow.received.size() == 1_001);

      assertEquals(before + 1, engines.farChannel.sendPath().window().next());
    }
  }
}
