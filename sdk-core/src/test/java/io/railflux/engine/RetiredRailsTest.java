package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rail that its side removes permanently: its end is no loss, and nothing of it remains. */
@Tag("MR12")
class RetiredRailsTest {

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
