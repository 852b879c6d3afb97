package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.engine.send.SendWindowTest;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.CommunicationAware;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared memory together with a posted rail: one session over any of them (MR12: V 10.2). */
@Tag("MR12")
class MixedRailsTest {

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
    engines.near.run(() -> engines.nearChannel.sendPath().striper().use(new CommunicationAware()));
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
