package io.railflux.fabric.sim;

import static io.railflux.fabric.CompletionStatus.FLUSHED;
import static io.railflux.fabric.CompletionStatus.SUCCESS;
import static io.railflux.fabric.CompletionStatus.TRANSPORT_RETRY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.EndpointState;
import io.railflux.fabric.WorkRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimLinkTest {

  private static final long MILLI = 1_000_000;
  private static final LinkModel EXACT = new LinkModel(10_000, 10_000, 1_000_000_000);

  @Test
  void requestTakesTwoLatenciesAndItsTransmission() {
    SimPair pair = exact();
    long begin = pair.network.now();
    pair.write(1, 64 * 1024, 0);
    pair.network.runUntil(() -> pair.near.fabric.poll(1) > 0, begin + MILLI);

    long transmission = 64 * 1024 + SimLane.HEADER_BYTES;
    long acknowledgement = SimLane.HEADER_BYTES;
    long took = pair.network.now() - begin;
    long least = 20_000 + transmission + acknowledgement;
    assertTrue(took >= least && took <= least + 3_000, () -> took + " ns, expected " + least);
  }

  @Test
  void requestsShareTheRate() {
    SimPair pair = exact();
    long begin = pair.network.now();
    for (int i = 0; i < 10; i++) {
      pair.write(i, 100_000, 0);
    }
    pair.network.runUntil(
        () -> {
          pair.near.fabric.poll(10);
          return pair.near.callbacks(9, SUCCESS);
        },
        begin + 100 * MILLI);

    assertTrue(pair.network.now() - begin >= MILLI, () -> "ten times 100 kB in less than 1 ms");
  }

  @Test
  void slowLinkWorks() {
    SimPair pair = exact();
    pair.link().crawl(1_000_000);
    pair.write(1, 10_000, 0);
    pair.runFor(9 * MILLI);
    assertFalse(pair.near.callbacks(1, SUCCESS));

    pair.runFor(3 * MILLI);
    assertTrue(pair.near.callbacks(1, SUCCESS));
  }

  @Test
  void resetEndsBothEndpointsImmediately() {
    SimPair pair = exact();
    pair.link().reset();
    pair.runFor(MILLI);

    assertEquals("drained", pair.near.callbacks.get(pair.near.callbacks.size() - 1));
    assertEquals("drained", pair.far.callbacks.get(pair.far.callbacks.size() - 1));
    assertFalse(pair.link().isDown());
  }

  @Test
  void blackHoleIsSilentUntilTheRetryTimeout() {
    SimPair pair = exact();
    pair.link().blackHole();
    pair.write(1, 64, 0);
    pair.write(2, 64, 64);
    pair.runFor(19 * MILLI);
    assertEquals(List.of(), pair.near.callbacks);

    pair.runFor(10 * MILLI);
    assertTrue(pair.near.callbacks(1, TRANSPORT_RETRY));
    assertTrue(pair.near.callbacks(2, FLUSHED));
    assertEquals("drained", pair.near.callbacks.get(pair.near.callbacks.size() - 1));
    assertEquals(List.of(), pair.far.callbacks);
    assertEquals(EndpointState.READY, pair.far.endpoint.state());
  }

  @Test
  void retransmissionBridgesAShortBlackHole() {
    SimPair pair = exact();
    pair.link().blackHole();
    for (int i = 0; i < 5; i++) {
      pair.write(i, 64, 64 * i);
    }
    pair.runFor(8 * MILLI);
    pair.link().heal();
    pair.runFor(10 * MILLI);

    assertEquals(
        List.of("0 SUCCESS", "1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS"),
        pair.near.callbacks);
  }

  @Test
  void requestTakesEffectIfOnlyItsAcknowledgementIsLost() {
    SimPair pair = exact();
    pair.link().blackHoleFrom(pair.farHost);
    pair.near.fill(64, 5);
    pair.write(1, 64, 0);
    pair.runFor(30 * MILLI);

    assertTrue(pair.near.callbacks(1, TRANSPORT_RETRY));
    assertEquals(5, pair.target().get(0));
  }

  @Test
  void lossInOneDirectionDoesNotAffectTheOther() {
    SimPair pair = exact();
    pair.link().blackHoleFrom(pair.nearHost);
    pair.runFor(MILLI);
    pair.near.endpoint.postReceive(1, pair.near.memory, 0, 64);
    pair.far.endpoint.post(new WorkRequest().send(pair.far.memory, 0, 64).withId(2));
    pair.runFor(MILLI);

    assertTrue(pair.near.callbacks(1, SUCCESS));
    assertFalse(pair.far.callbacks(2, SUCCESS), "the acknowledgement is lost");
  }

  @Test
  void unlimitedRetriesNeverFail() {
    SimTimings forEver = SimTimings.DEFAULT.withRetryTimeout(SimTimings.NEVER);
    SimPair pair = new SimPair(1, SimConfig.rdma().withLink(EXACT).withTimings(forEver));
    pair.link().blackHole();
    pair.write(1, 64, 0);
    pair.runFor(10_000 * MILLI);
    assertEquals(List.of(), pair.near.callbacks);

    pair.link().heal();
    pair.runFor(10 * MILLI);
    assertTrue(pair.near.callbacks(1, SUCCESS));
  }

  @Test
  void failedRailRejectsConnectionsWithTheReason() {
    SimPair pair = exact();
    pair.farHost.railUp(0, false);
    pair.near.fabric.connect("far/service", 2, pair.near);
    pair.runFor(MILLI / 10);

    assertEquals(List.of("refused: rail 0 to far is down"), pair.near.callbacks);
  }

  @Test
  void connectionIntoABlackHoleTimesOut() {
    SimPair pair = exact();
    pair.link().blackHole();
    pair.near.fabric.connect("far/service", 2, pair.near);
    pair.runFor(19 * MILLI);
    assertEquals(List.of(), pair.near.callbacks);

    pair.runFor(2 * MILLI);
    assertEquals(List.of("refused: no answer from far/service on sim"), pair.near.callbacks);
  }

  @Test
  void blackHoleDropsTheCloseNotification() {
    for (int seed = 1; seed <= 10; seed++) {
      SimFaults talkative = SimFaults.NONE.withCloseNotice(1);
      SimPair pair = new SimPair(seed, SimConfig.rdma().withFaults(talkative));
      pair.link().blackHole();
      pair.near.endpoint.close();
      pair.runFor(MILLI);

      assertEquals(List.of(), pair.far.callbacks);
    }
  }

  @Test
  void railsFailOneByOne() throws Exception {
    SimNetwork network = new SimNetwork(1, SimConfig.rdma().withRails(2));
    SimHost a = network.host("a");
    SimHost b = network.host("b");
    network.link(a, b, 0).down();

    assertTrue(network.link(b, a, 0).isDown());
    assertFalse(network.link(a, b, 1).isDown());
    assertEquals("sim1", a.provider(1).name());
  }

  private static SimPair exact() {
    SimFaults nothingLate = SimFaults.NONE.withLate(0);
    return new SimPair(1, SimConfig.rdma().withLink(EXACT).withFaults(nothingLate));
  }
}
