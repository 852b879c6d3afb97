package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.SendWindowTest;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.policy.CommunicationAware;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mixed rails in one session, and their removal (MR12). */
class ChangingRailsTest {

  /** Shared memory together with a posted rail: one session over any of them (MR12: V 10.2). */
  @Tag("MR12")
  @Nested
  class MixedRails {

    private static final Capabilities MAPPED = SimConfig.mapped().capabilities();
    private static final SimConfig MIXED = SimConfig.tcp().withFirstRail(MAPPED);
    private static final int LARGE_BYTES = 3 << 20;

    private TwoEngines engines;

    private void connect() {
      engines = TwoEngines.connected(Setting.of(MIXED));
    }

    private static Subchannel rail(VirtualChannel channel, boolean mapped) {
      return channel.live().stream()
          .filter(subchannel -> subchannel.capabilities().mapped() == mapped)
          .findFirst()
          .orElse(null);
    }

    /** The receiver closes the rail. It does not read frames that the sender writes until it is notified. */
    private void lose(boolean mapped) {
      engines.far.run(() -> engines.farChannel.failSubchannel(
          rail(engines.farChannel, mapped), "given up by the test"));
      engines.await(() -> rail(engines.nearChannel, mapped) == null);
    }

    private void assertDelivered(Flow flow, int count) {
      engines.await(flow::ended);
      flow.assertReceived(count);
      assertTrue(flow.completed, () -> "ended by " + flow.error);
      RendezvousProtocolTest.assertNothingHeld(engines);
    }

    @Test
    void bothCarryMessages() {
      connect();
      Flow flow = engines.flow("numbers").sized(2_000).send(2_000).receive();
      assertDelivered(flow, 2_000);

      for (boolean mapped : new boolean[] {true, false}) {
        Subchannel rail = rail(engines.nearChannel, mapped);
        assertTrue(
            rail.writer().ring().written() > 100_000,
            rail + " carried " + rail.writer().ring().written());
      }
    }

    @Test
    void bothCarryPiecesOfLargeMessages() {
      connect();
      engines.near.run(
          () -> engines.nearChannel.sendPath().striper().use(new CommunicationAware()));
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(20).receive();
      assertDelivered(flow, 20);

      for (boolean mapped : new boolean[] {true, false}) {
        BulkLane lane = rail(engines.nearChannel, mapped).lane();
        assertTrue(lane.writtenBytes() > LARGE_BYTES, lane.writtenBytes() + " B");
        assertTrue(lane.writtenBytesPerNano() > 0);
      }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lossOfEitherRailLosesNoMessage(boolean mapped) {
      connect();
      Flow small = engines.flow("small").sized(2_000).send(10_000).receive();
      Flow large = engines.flow("large").sized(LARGE_BYTES).send(20).receive();
      for (int times = 0; times < 5; times++) {
        engines.pass(TwoEngines.MILLIS / 7);
        lose(mapped);
        engines.await(() -> TwoEngines.live(engines.nearChannel) == 2);
      }

      assertDelivered(small, 10_000);
      assertDelivered(large, 20);
      assertTrue(engines.nearChannel.counters().endpointsLost() >= 5);
    }

    /** Frames encoded in the peer's ring cannot be posted from there. {@link SendWindowTest} covers their move. */
    @Test
    void joinedRailReplaysFramesOfSharedMemory() {
      for (int after = 0; after < 100; after++) {
        engines = TwoEngines.apart(Setting.of(MIXED));
        List<Rail.Target> targets = engines.targets();
        engines.connect(targets.subList(0, 1));
        Flow flow = engines.flow("numbers").sized(2_000).send(3_000).receive();
        engines.pass(TwoEngines.MILLIS / 10);
        engines.near.run(() -> Reconnect.of(engines.nearChannel).add(targets.get(1), joined -> {}));
        engines.pass(after * 700L);
        lose(true);

        assertDelivered(flow, 3_000);
      }
    }

    @Test
    void messageReadInPlaceOutlivesItsRail() {
      engines = TwoEngines.apart(Setting.of(MIXED));
      List<Rail.Target> targets = engines.targets();
      engines.connect(targets.subList(0, 1));
      Flow flow = engines.flow("large").sized(LARGE_BYTES).send(40).receive();
      engines.await(() -> flow.received.size() >= 2);
      engines.near.run(() -> Reconnect.of(engines.nearChannel).add(targets.get(1), joined -> {}));
      engines.await(() -> rail(engines.nearChannel, false) != null);
      lose(true);

      assertDelivered(flow, 40);
      assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    }
  }

  /** A rail that its side removes permanently: its end is no loss, and nothing of it remains. */
  @Tag("MR12")
  @Nested
  class RetiredRails {

    private static final int MESSAGES = 5_000;

    private final List<RailEvent> ofNear = new ArrayList<>();
    private final List<RailEvent> ofFar = new ArrayList<>();
    private TwoEngines engines;
    private Rail.Target removed;

    @BeforeEach
    void connect() {
      engines = TwoEngines.connected(
          Setting.of(SimConfig.rdma().withRails(2)).with(StripingPolicy::roundRobin));
      engines.near.engine().onRailEvent((channel, event) -> ofNear.add(event));
      engines.far.engine().onRailEvent((channel, event) -> ofFar.add(event));
      removed = Reconnect.of(engines.nearChannel).targets().get(0);
    }

    private Flow flow() {
      return engines.flow("numbers").sized(1_000).send(MESSAGES).receive();
    }

    private void remove() {
      engines.near.run(() -> Reconnect.of(engines.nearChannel).remove(removed, "by the test"));
    }

    private void finish(Flow flow) {
      engines.await(flow::ended);
      flow.assertReceived(MESSAGES);
      engines.awaitQuiet();
    }

    private static List<Kind> kinds(List<RailEvent> events) {
      return events.stream().map(RailEvent::kind).toList();
    }

    /** The far side considers itself the connecting side, and therefore ignores RETIRE. */
    private void farIgnoresIt() {
      engines.far.run(() -> engines.farChannel.keepRails(Reconnect.of(engines.nearChannel)));
    }

    @Test
    void neitherSideCountsALoss() {
      Flow flow = flow();
      engines.pass(TwoEngines.MILLIS / 2);
      remove();
      finish(flow);

      assertEquals(List.of(Kind.REMOVED, Kind.SETTLED), kinds(ofNear));
      assertEquals(List.of(Kind.REMOVED, Kind.SETTLED), kinds(ofFar));
      assertEquals(0, engines.nearChannel.counters().endpointsLost());
      assertEquals(0, engines.farChannel.counters().endpointsLost());
      assertEquals(1, engines.nearChannel.rails().size());
      assertEquals(1, engines.farChannel.rails().size());
    }

    @Test
    void retiringRailCarriesNoNewFrames() {
      farIgnoresIt();
      Subchannel leaving = engines.nearChannel.live().get(0);
      remove();
      engines.pass(TwoEngines.MILLIS);
      assertTrue(leaving.isLive());
      long written = leaving.writer().ring().written();
      Flow flow = flow();
      engines.pass(10 * TwoEngines.MILLIS);

      assertTrue(leaving.isLive());
      assertTrue(leaving.writer().ring().written() - written < 10_000, leaving::toString);
      finish(flow);
    }

    @Test
    void retirementEndsAfterATimeoutIfThePeerIgnoresIt() {
      farIgnoresIt();
      remove();
      engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);
      finish(flow());

      assertEquals(List.of(Kind.REMOVED, Kind.SETTLED), kinds(ofNear));
      assertEquals(List.of(Kind.LOST, Kind.SETTLED), kinds(ofFar));
    }

    @Test
    void onlyTheConnectorMayRetireARail() {
      int id = engines.nearChannel.live().get(0).id;
      engines.far.run(() -> engines
          .farChannel
          .control()
          .send(new ControlFrame(FrameType.RETIRE, FrameFlags.SKIPPABLE, 0, id)));
      finish(flow());

      assertEquals(2, TwoEngines.live(engines.nearChannel));
      assertEquals(List.of(), ofNear);
    }

    @Test
    void retirementOfAnUnknownRailHasNoEffect() {
      engines.near.run(() -> engines.nearChannel.recovery().giveUp(4_711, "by the test"));
      finish(flow());

      assertEquals(2, TwoEngines.live(engines.farChannel));
    }

    @Test
    void retirementOfALostRailLeavesNothing() {
      engines.link(0).down();
      Flow flow = flow();
      engines.await(() -> ofNear.stream().anyMatch(event -> event.kind() == Kind.SETTLED)
          && ofFar.stream().anyMatch(event -> event.kind() == Kind.SETTLED));
      assertEquals(2, engines.nearChannel.rails().size());
      remove();
      finish(flow);

      assertEquals(1, engines.nearChannel.rails().size());
      assertEquals(1, engines.farChannel.rails().size());
      assertEquals(1, engines.nearChannel.counters().endpointsLost(), "it was lost before");
    }
  }
}
