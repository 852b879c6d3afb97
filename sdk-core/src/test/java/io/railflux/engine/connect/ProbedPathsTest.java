package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.Rail;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimTimings;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.policy.StripingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As many connections to an address as increase the rate of large messages. */
@Tag("MR8")
class ProbedPathsTest {

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
    engines = TwoEngines.connected(Setting.of(SimConfig.tcp().withTimings(patient(SimConfig.tcp())))
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
