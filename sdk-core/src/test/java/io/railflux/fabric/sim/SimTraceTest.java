package io.railflux.fabric.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimTraceTest {

  @Test
  void equalSeedsProduceEqualRuns() {
    assertEquals(run(7, new ArrayList<>()), run(7, new ArrayList<>()));
  }

  @Test
  void differentSeedsProduceDifferentRuns() {
    assertNotEquals(run(7, new ArrayList<>()), run(8, new ArrayList<>()));
  }

  @Test
  void listeningDoesNotInfluenceTheRun() {
    List<String> lines = new ArrayList<>();

    assertEquals(run(7, null), run(7, lines));
    assertTrue(lines.size() > 100, () -> lines.size() + " lines");
  }

  /** The expected hash is equal on every JDK. */
  @Test
  void runIsEqualOnEveryJdk() {
    assertEquals("810e05bc3b81814c", Long.toHexString(run(42, null)));
  }

  @Test
  void contentMatters() {
    assertNotEquals(hashOfOneWrite(1), hashOfOneWrite(2));
  }

  private static long hashOfOneWrite(int value) {
    SimPair pair = new SimPair(1, SimConfig.rdma());
    pair.near.fill(512, value);
    pair.write(1, 512, 0);
    pair.runFor(1_000_000);
    return pair.network.traceHash();
  }

  /** A run with every kind of request, and a black hole in the middle. */
  private static long run(long seed, List<String> lines) {
    SimFaults faults = SimFaults.NONE.withLate(0.5).withConnectFailures(0);
    SimPair pair = new SimPair(seed, SimConfig.unordered().withFaults(faults));
    pair.network.traceListener(lines == null ? null : lines::add);
    for (int i = 0; i < 30; i++) {
      pair.near.fill(4000, i);
      pair.far.endpoint.postReceive(1000 + i, pair.far.memory, i * 64, 64);
      pair.write(3L * i, 100 + i * 100, i * 1000);
      pair.send(3 * i + 1, 64);
      pair.near.endpoint.post(
          new WorkRequest().read(pair.near.memory, 8000, 512, pair.attached, 0).withId(3 * i + 2));
      pair.runFor(3_000);
      if (i == 20) {
        pair.link().blackHole();
      }
    }
    pair.runFor(100_000_000);
    assertTrue(pair.near.callbacks("drained"));
    return pair.network.traceHash();
  }
}
