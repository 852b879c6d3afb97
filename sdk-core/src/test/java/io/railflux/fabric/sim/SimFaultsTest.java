package io.railflux.fabric.sim;

import static io.railflux.fabric.CompletionStatus.TRANSPORT_RETRY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.EndpointState;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.WorkRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimFaultsTest {

  private static final long MILLI = 1_000_000;

  @Test
  void injectsNoFaultByDefault() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    for (int i = 0; i < 1000; i++) {
      assertEquals(PostResult.POSTED, pair.write(i, 64, 0));
      pair.runFor(20_000);
    }

    assertEquals(1000, pair.near.callbacks.size());
    assertEquals(Map.of(), pair.network.faultCounts());
  }

  @Test
  void injectedErrorLeavesTheEffectOfTheRequestOpen() {
    TreeSet<Byte> found = new TreeSet<>();
    for (int seed = 1; seed <= 20; seed++) {
      SimPair pair = new SimPair(seed, SimConfig.rdma());
      pair.network.faults(SimFaults.NONE.withCompletionErrors(1));
      pair.near.fill(64, 7);
      pair.write(1, 64, 0);
      pair.runFor(MILLI);

      assertTrue(pair.near.callbacks(1, TRANSPORT_RETRY), pair.network::toString);
      assertEquals(Map.of("completion error", 1L), pair.network.faultCounts());
      found.add(pair.target().get(0));
    }

    assertEquals(List.of((byte) 0, (byte) 7), List.copyOf(found));
  }

  @Test
  void injectedErrorDoesNotAffectEarlierRequests() {
    SimPair pair = new SimPair(3, SimConfig.rdma());
    pair.write(1, 8192, 0);
    pair.network.faults(SimFaults.NONE.withCompletionErrors(1));
    pair.write(2, 64, 0);
    pair.runFor(MILLI);

    assertEquals("1 SUCCESS", pair.near.callbacks.get(0));
    assertEquals("2 TRANSPORT_RETRY", pair.near.callbacks.get(1));
  }

  @Test
  void errorsOccurAtTheirRate() {
    int failed = 0;
    for (int seed = 1; seed <= 200; seed++) {
      SimPair pair = new SimPair(seed, SimConfig.rdma());
      pair.network.faults(SimFaults.NONE.withCompletionErrors(0.25));
      pair.write(1, 64, 0);
      pair.runFor(MILLI);
      failed += pair.near.callbacks(1, TRANSPORT_RETRY) ? 1 : 0;
    }
    int count = failed;

    assertTrue(count > 25 && count < 75, () -> count + " of 200 failed at a rate of 0.25");
  }

  @Test
  void eitherEndMayDie() {
    TreeSet<String> dead = new TreeSet<>();
    for (int seed = 1; seed <= 20; seed++) {
      SimPair pair = new SimPair(seed, SimConfig.rdma());
      pair.network.faults(SimFaults.NONE.withEndpointDeaths(1));
      pair.write(1, 64, 0);
      pair.runFor(100_000);
      boolean nearDied = pair.near.endpoint.state() != EndpointState.READY;
      boolean farDied = pair.far.endpoint.state() != EndpointState.READY;
      dead.add(nearDied + " " + farDied);
    }

    assertEquals(List.of("false true", "true false"), List.copyOf(dead));
  }

  @Test
  void connectionsMayFail() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.network.faults(SimFaults.NONE.withConnectFailures(1));
    pair.near.fabric.connect("far/service", 2, pair.near);
    pair.runFor(MILLI);

    assertEquals(1, pair.near.callbacks.size());
    assertEquals(Map.of("connect failure", 1L), pair.network.faultCounts());
  }

  @Test
  void slotsReturnWithAPolledCompletionOnly() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    int depth = SimConfig.rdma().capabilities().sendQueueDepth();
    WorkRequest silent = new WorkRequest().write(pair.near.memory, 0, 8, pair.attached, 0);
    for (int i = 0; i < depth - 1; i++) {
      pair.near.endpoint.post(silent);
    }
    pair.runFor(MILLI);
    assertEquals(PostResult.POSTED, pair.write(1, 8, 0));
    assertEquals(PostResult.QUEUE_FULL, pair.write(2, 8, 0));
    pair.runFor(MILLI);

    assertEquals(PostResult.POSTED, pair.write(2, 8, 0));
  }

  @Test
  void rejectsPollingInsideACallback() {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.write(1, 8, 0);
    pair.network.runUntil(() -> pair.near.fabric.ready() > 0, pair.network.now() + MILLI);
    pair.near.callbacks.clear();
    SimPair.Side side = pair.near;
    side.onNextCompletion = () -> side.fabric.poll(1);

    assertThrows(IllegalStateException.class, () -> side.fabric.poll(1));
  }
}
