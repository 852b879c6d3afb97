package io.railflux.fabric.sim;

import static io.railflux.fabric.CompletionStatus.SUCCESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.WorkRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Permitted behavior of a fabric that has broken programs. */
@Tag("D1")
class SimHostilityTest {

  private static final long MILLI = 1_000_000;
  private static final int SEEDS = 60;

  @Test
  void writeMayLandAfterItsReportedFailure() {
    int landed = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimPair pair = pairWithAWriteLostInABlackHole(seed);
      assertTrue(pair.near.callbacks("drained"), pair.network::toString);
      byte before = pair.target().get(0);
      pair.runFor(100 * MILLI);
      landed += pair.target().get(0) != before ? 1 : 0;
    }

    assertTrue(landed > 0, "no write was late for any seed");
  }

  @Test
  void noWriteLandsAfterAFence() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimPair pair = pairWithAWriteLostInABlackHole(seed);
      pair.far.endpoint.fence("suspected");
      boolean drained = pair.network.runUntil(
          () -> pair.far.fabric.poll(1) > 0 && pair.far.callbacks("drained"),
          pair.network.now() + MILLI);
      assertTrue(drained, pair.network::toString);
      byte before = pair.target().get(0);
      pair.runFor(100 * MILLI);

      assertEquals(before, pair.target().get(0), pair.network::toString);
    }
  }

  @Test
  void lateWritesCarryTheBytesOfTheirTime() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimPair pair = pairWithAWriteLostInABlackHole(seed);
      pair.near.fill(4096, 99);
      pair.runFor(100 * MILLI);

      byte landed = pair.target().get(0);
      assertTrue(landed == 0 || landed == 7, pair.network::toString);
    }
  }

  @Test
  void publishWordMayBeVisibleFirstWithoutOrderedPlacement() {
    assertTrue(prematureWords(SimConfig.unordered()) > 0, "the word never came first");
  }

  @Test
  void publishWordIsVisibleLastWithOrderedPlacement() {
    assertEquals(0, prematureWords(SimConfig.rdma()));
  }

  @Test
  void orderedWriteMayBePartlyVisible() {
    int halves = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimPair pair = new SimPair(seed, SimConfig.rdma());
      pair.near.fill(4096, 7);
      pair.write(1, 4096, 0);
      while (pair.network.step()) {
        boolean first = pair.target().get(0) == 7;
        boolean last = pair.target().get(4095) == 7;
        halves += first && !last ? 1 : 0;
      }
    }

    assertTrue(halves > 0, "every write became visible at once");
  }

  @Test
  void earlyReuseOfABufferCorruptsTheMessage() {
    assertEquals(2, valueArriving(SimFaults.NONE.withReadLate(1)));
    assertEquals(1, valueArriving(SimFaults.NONE.withReadLate(0)));
  }

  @Test
  void earlyDeregistrationFailsTheRequest() {
    SimPair pair = new SimPair(1, SimConfig.rdma().withFaults(SimFaults.NONE.withReadLate(1)));
    pair.write(1, 4096, 0);
    pair.near.memory.close();
    pair.runFor(MILLI);

    assertTrue(pair.near.callbacks("1 LOCAL_PROTECTION"), () -> pair.near.callbacks.toString());
  }

  @Test
  void closedRegionHasUndefinedContent() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    var kept = pair.target();
    pair.exposed.close();

    assertEquals((byte) 0xDB, kept.get(0));
  }

  @Test
  void sendWithoutAReceiveTimesOut() {
    SimTimings impatient = SimTimings.DEFAULT.withReceiverWait(5 * MILLI);
    SimPair pair = new SimPair(1, SimConfig.rdma().withTimings(impatient));
    pair.send(1, 64);
    pair.runFor(4 * MILLI);
    assertEquals(0, pair.near.callbacks.size());

    pair.runFor(4 * MILLI);
    assertTrue(pair.near.callbacks("1 RECEIVER_NOT_READY"), () -> pair.near.callbacks.toString());
  }

  @Test
  void sendToADeadPeerTimesOut() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.send(1, 64);
    pair.runFor(100 * MILLI);
    assertEquals(0, pair.near.callbacks.size());

    pair.farHost.kill();
    pair.runFor(100 * MILLI);
    assertTrue(pair.near.callbacks("1 TRANSPORT_RETRY"), () -> pair.near.callbacks.toString());
  }

  private static SimPair pairWithAWriteLostInABlackHole(long seed) {
    SimFaults faults = SimFaults.NONE.withLate(0.8);
    SimPair pair = new SimPair(seed, SimConfig.rdma().withFaults(faults));
    pair.link().blackHole();
    pair.near.fill(4096, 7);
    pair.write(1, 4096, 0);
    pair.runFor(30 * MILLI);
    return pair;
  }

  /** Returns how often the publish word is visible before the write that it publishes. */
  private static int prematureWords(SimConfig config) {
    int premature = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimPair pair = new SimPair(seed, config);
      pair.near.fill(4096, 7);
      pair.write(1, 4096, 0);
      pair.write(2, 8, 8192);
      while (pair.network.step()) {
        boolean published = pair.target().get(8192) != 0;
        boolean whole = pair.target().get(0) != 0 && pair.target().get(4095) != 0;
        premature += published && !whole ? 1 : 0;
      }
    }
    return premature;
  }

  private static int valueArriving(SimFaults faults) {
    SimPair pair = new SimPair(1, SimConfig.rdma().withFaults(faults));
    pair.near.fill(4096, 1);
    pair.near.endpoint.post(
        new WorkRequest().write(pair.near.memory, 0, 4096, pair.attached, 0).withId(1));
    pair.near.fill(4096, 2);
    pair.runFor(MILLI);
    assertTrue(pair.near.callbacks(1, SUCCESS));
    return pair.target().get(0);
  }
}
