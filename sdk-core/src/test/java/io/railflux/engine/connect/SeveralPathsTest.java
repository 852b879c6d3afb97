package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Rail;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.fabric.sim.SimTimings;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several connections to one address: their traffic and their number (MR8). */
class SeveralPathsTest {

  /** As many connections to an address as increase the rate of large messages. */
  @Tag("MR8")
  @Nested
  class Probes {

    private static final int LARGE_BYTES = 1 << 20;
    private static final long SLOW = 20_000_000;
    private static final int MAX_SECONDS = 200;
    private static final long SECOND = 1_000 * TwoEngines.MILLIS;

    private final List<RailEvent> events = new ArrayList<>();
    private TwoEngines engines;

    private void connect(SimConfig fabric, int links) {
      SimConfig slow = fabric.withTimings(patient(fabric)).withProtection(Protection.TLS_MUTUAL);
      engines = TwoEngines.connected(Setting.of(slow).with(StripingPolicy::byDefault));
      begin(links);
    }

    /** A slow link, over which no request may be retransmitted. */
    private static SimTimings patient(SimConfig fabric) {
      return fabric
          .timings()
          .withRetransmitInterval(SECOND / 4)
          .withRetryTimeout(SECOND)
          .withConnectTimeout(SECOND);
    }

    private void begin(int links) {
      engines.link(0).crawl(SLOW).spread(links);
      engines.near.engine().onRailEvent((channel, event) -> events.add(event));
      engines.near.run(() -> ProbedPaths.begin(engines.nearChannel));
    }

    /** Creates load over one link for approximately this time. */
    private Flow load(int seconds) {
      int count = (int) (seconds * SLOW / LARGE_BYTES);
      return engines.flow("large").sized(LARGE_BYTES).send(count).receive();
    }

    private void finish(Flow flow) {
      for (int seconds = 0; !flow.ended() && seconds < MAX_SECONDS; seconds++) {
        engines.pass(SECOND);
      }
      assertTrue(flow.ended(), () -> events + ": " + engines.network);
      flow.assertInOrder();
      assertTrue(flow.completed, () -> "ended by " + flow.error);
      // A trial ends with the load.
      engines.pass(2 * SECOND);
      RendezvousProtocolTest.assertNothingHeld(engines);
    }

    private boolean happened(Kind kind) {
      return events.stream().anyMatch(event -> event.kind() == kind);
    }

    private List<String> probed() {
      return events.stream()
          .filter(event -> event.kind() == Kind.PROBED)
          .map(event -> event.text().substring(0, event.text().indexOf(':')))
          .toList();
    }

    @Test
    void findsSeveralLinksOfANetwork() {
      connect(SimConfig.tcp(), 3);
      finish(load(120));

      assertEquals(3, TwoEngines.live(engines.nearChannel), events::toString);
      assertEquals(3, TwoEngines.live(engines.farChannel));
      assertEquals(List.of("kept", "kept", "not kept"), probed().subList(0, 3));
    }

    @Test
    void findsSeveralLinksIfThePeerReads() {
      connect(SimConfig.rdma(), 2);
      finish(load(60));

      assertEquals(2, TwoEngines.live(engines.nearChannel), events::toString);
    }

    @Test
    void keepsOneConnectionOverOneLink() {
      connect(SimConfig.tcp(), 1);
      finish(load(20));

      assertEquals(List.of("not kept"), probed());
      assertEquals(1, TwoEngines.live(engines.nearChannel));
      assertEquals(1, TwoEngines.live(engines.farChannel));
      assertEquals(1, engines.nearChannel.rails().size(), "the further path is removed");
      assertEquals(1, engines.farChannel.rails().size(), "by the peer as well");
      assertEquals(0, engines.nearChannel.counters().endpointsLost(), "closing a trial is no loss");
      assertEquals(0, engines.farChannel.counters().endpointsLost(), "on either side");
      assertTrue(events.stream().noneMatch(event -> event.kind() == Kind.LOST), events::toString);
    }

    @Test
    void connectingSideFindsLinksForIncomingMessages() {
      connect(SimConfig.tcp(), 2);
      int count = (int) (60 * SLOW / LARGE_BYTES);
      Flow flow = engines.flow("large").back().sized(LARGE_BYTES).send(count).receive();
      finish(flow);

      assertEquals(2, TwoEngines.live(engines.nearChannel), events::toString);
    }

    @Test
    void requestOfTheUserForTheAddressEndsTheTrial() {
      connect(SimConfig.tcp(), 1);
      Flow flow = load(20);
      engines.network.runUntil(() -> happened(Kind.JOINED), engines.network.now() + 20 * SECOND);
      assertTrue(happened(Kind.JOINED), events::toString);
      Rail.Target target = Reconnect.of(engines.nearChannel).targets().get(0);
      engines.near.run(() -> {
        Reconnect.of(engines.nearChannel).add(target);
        Reconnect.of(engines.nearChannel).add(target);
      });
      finish(flow);

      assertEquals(3, TwoEngines.live(engines.nearChannel), events::toString);
    }

    @Test
    void startsNoTrialWithinAHost() {
      engines =
          TwoEngines.connected(Setting.of(SimConfig.tcp().withTimings(patient(SimConfig.tcp())))
              .with(StripingPolicy::byDefault));
      begin(2);
      finish(load(20));

      assertEquals(List.of(), events);
    }

    @Test
    void startsNoTrialWithoutLoad() {
      connect(SimConfig.tcp(), 2);
      engines.pass(100 * SECOND);

      assertEquals(List.of(), events);
    }
  }

  /** Several connections over one rail, of which one has the ring for messages. */
  @Tag("MR8")
  @Nested
  class FurtherPaths {

    private static final int COUNT = 8;
    private static final int LARGE_BYTES = 1 << 20;

    private TwoEngines engines;
    private long bytesOfOne;
    private long maxBytesOfOne;

    @BeforeEach
    void connect() {
      engines = TwoEngines.apart(Setting.of(SimConfig.rdma()).with(StripingPolicy::byDefault));
      engines.connect();
      bytesOfOne = ringBytes();
      maxBytesOfOne = maxBytes();
      Rail.Target target = Reconnect.of(engines.nearChannel).targets().get(0);
      engines.near.run(() -> {
        for (int i = 1; i < COUNT; i++) {
          Reconnect.of(engines.nearChannel).add(target);
        }
      });
      awaitAll();
    }

    private void awaitAll() {
      engines.await(() -> TwoEngines.live(engines.nearChannel) == COUNT
          && TwoEngines.live(engines.farChannel) == COUNT);
    }

    /** Returns the ring memory of the far side for messages of the near side. */
    private long ringBytes() {
      return engines.farChannel.live().stream()
          .mapToLong(subchannel -> subchannel.memory.ring().lengthBytes())
          .sum();
    }

    /** Returns the maximum memory of the far side for the peer, including large messages. */
    private long maxBytes() {
      long registered = engines.farChannel.live().stream()
          .mapToLong(subchannel -> subchannel.registeredBytes())
          .sum();
      return registered + engines.far.engine().landingMemory().lendableBytes();
    }

    private Subchannel forMessages(VirtualChannel channel) {
      List<Subchannel> those =
          channel.live().stream().filter(subchannel -> !subchannel.further).toList();
      assertEquals(1, those.size());
      return those.get(0);
    }

    private void sendAll(int count, int bytes) {
      Flow flow = engines.flow("numbers").sized(bytes).send(count).receive();
      engines.await(flow::ended);
      flow.assertReceived(count);
    }

    @Test
    void eightPathsUseNoMoreMemoryThanOne() {
      assertTrue(maxBytes() <= maxBytesOfOne, () -> maxBytes() + " by " + maxBytesOfOne);

      engines.far.run(() -> engines.farChannel.abort("the end"));
      engines.await(() -> engines.far.engine().landingMemory().lendableBytes()
          == EngineConfig.Large.DEFAULT.receiveBudgetBytes());
    }

    @Test
    void ringsOfFurtherPathsAreSmall() {
      assertTrue(ringBytes() <= bytesOfOne * 106 / 100, () -> ringBytes() + " by " + bytesOfOne);
    }

    @Test
    void messagesUseTheOneRing() {
      sendAll(5_000, 1_000);

      long carried = forMessages(engines.nearChannel).writer().ring().written();
      assertTrue(carried > 5_000_000, () -> carried + " B");
      for (Subchannel subchannel : engines.nearChannel.live()) {
        long written = subchannel.writer().ring().written();
        assertTrue(!subchannel.further || written < 100_000, () -> subchannel + ": " + written);
      }
    }

    @Test
    void largeMessagesAreCutOverAllPaths() {
      sendAll(50, LARGE_BYTES);

      for (Subchannel subchannel : engines.nearChannel.live()) {
        assertTrue(subchannel.lane().writtenBytes() > LARGE_BYTES, subchannel::toString);
      }
    }

    /** That ring is rarely empty under load, and a new path would wait for its first piece indefinitely. */
    @Test
    void contentOfTheRingIsNoLoadOfOtherPathsWhenAMessageIsCut() {
      engines.far.freeze();
      engines.flow("numbers").sized(1_000).send(100).receive();
      List<Subchannel> live = engines.nearChannel.live();
      engines.await(() -> forMessages(engines.nearChannel).writer().ring().occupied() > 0);

      for (int i = 0; i < COUNT; i++) {
        boolean further = live.get(i).further;
        assertEquals(
            further, Striper.LivePaths.ofPieces(live).pendingBytes(i) == 0, live.get(i)::toString);
        assertTrue(Striper.LivePaths.ofMessages(live).pendingBytes(i) > 0, live.get(i)::toString);
      }
    }

    @Test
    void lostMessagePathIsReplaced() {
      Flow flow = engines.flow("numbers").sized(1_000).send(5_000).receive();
      engines.pass(TwoEngines.MILLIS / 2);
      Subchannel lost = forMessages(engines.nearChannel);
      engines.near.run(() -> engines.nearChannel.failSubchannel(lost, "by the test"));
      engines.await(flow::ended);
      flow.assertReceived(5_000);

      awaitAll();
      assertTrue(forMessages(engines.nearChannel) != lost);
      assertEquals(forMessages(engines.nearChannel).id, forMessages(engines.farChannel).id);
    }

    @Test
    void peerIsPartitionedIfThePathCannotBeReplaced() {
      engines.network.faults(SimFaults.NONE.withConnectFailures(1));
      Subchannel lost = forMessages(engines.nearChannel);
      engines.near.run(() -> engines.nearChannel.failSubchannel(lost, "by the test"));
      engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED
          && engines.farChannel.state() == SessionLifecycle.State.PAUSED);

      engines.network.faults(SimFaults.NONE);
      awaitAll();
      sendAll(100, 1_000);
      assertEquals(forMessages(engines.nearChannel).id, forMessages(engines.farChannel).id);
    }
  }
}
