package io.railflux.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Invariants of the engine under random workloads and faults, in virtual time. */
@Tag("FT1")
@Tag("FT2")
@Tag("FT3")
@Tag("FT4")
@Tag("FT5")
@Tag("MR1")
@Tag("MR3")
@Tag("MR4")
@Tag("MR6")
@Tag("CH1")
@Tag("CH3")
@Tag("RV1")
@Tag("RV2")
@Tag("RV4")
class SimulationTest {

  /** Set {@code -Drailflux.simulation.seeds=1000000} for a long run. */
  private static final int SEEDS = Integer.getInteger("railflux.simulation.seeds", 5_000);

  @Test
  @Tag("deep")
  void keepsEveryInvariantInThousandsOfRuns() {
    List<String> lines = new ArrayList<>();
    SimulationReport report = Simulator.run(1, SEEDS, lines::add);
    System.out.println("simulation: " + report);
    assertTrue(report.passed(), () -> String.join("\n", lines));
    assertEquals(SEEDS, report.seeds());
    // A run without faults verifies nothing.
    for (String kind : List.of(
        "black hole",
        "completion error",
        "connect failure",
        "corruption",
        "crawl",
        "endpoint death",
        "inline failures",
        "idle, then cut",
        "idle, then kill",
        "idle, then long cut",
        "idle, then long stopped",
        "idle, then rail by rail",
        "idle, then silence",
        "idle, then stopped",
        "kill",
        "landed while draining",
        "completion reported twice",
        "late",
        "link down",
        "long partition",
        "one-way black hole",
        "partition",
        "policy changed",
        "rail doubled",
        "rail down",
        "rail removed and added",
        "restart")) {
      assertTrue(report.faults().getOrDefault(kind, 0L) > 10, () -> kind + ": " + report);
    }
    assertTrue(report.replays() > 1_000, report::toString);
    assertTrue(report.virtualSeconds() > 10, report::toString);
  }

  @Test
  void resumesWithAnyNumberOfRailsAndDetectsRestartsAndDeaths() {
    long[] resumed = new long[4];
    long[] restarts = new long[4];
    long deaths = 0;
    for (long seed = 1; seed <= 600; seed++) {
      Outcome outcome = Simulation.run(seed, null);
      assertEquals(null, outcome.violation(), "seed " + seed);
      resumed[outcome.rails()] += outcome.counts().resumed();
      restarts[outcome.rails()] += outcome.counts().restarts();
      deaths += outcome.counts().deaths();
    }
    assertTrue(deaths > 6, "reported deaths that ended a session: " + deaths);
    for (int rails = 1; rails <= 3; rails++) {
      // Runs with three rails are rare.
      int least = rails < 3 ? 10 : 0;
      assertTrue(
          resumed[rails] > least, "sessions resumed with " + rails + " rails: " + resumed[rails]);
      assertTrue(
          restarts[rails] > least, "restarts seen with " + rails + " rails: " + restarts[rails]);
    }
  }

  /**
   * Trace hashes of three runs, equal on every JDK. They depend on the engine and on the workload. Update them only
   * together with an intended change of either.
   */
  private static final String GOLDEN =
      "1: b20bd0c178029d30, 2: d0bb0351faae3d79, 7: 5a07e34d70e7c2aa";

  @Test
  void equalSeedsProduceEqualRunsOnEveryJdk() {
    List<String> hashes = new ArrayList<>();
    for (long seed : new long[] {1, 2, 7}) {
      hashes.add(seed + ": " + Long.toHexString(Simulation.run(seed, null).traceHash()));
    }
    assertEquals(GOLDEN, String.join(", ", hashes));
  }

  @Test
  void listeningDoesNotInfluenceTheRun() {
    List<String> lines = new ArrayList<>();
    long traced = Simulation.run(5, lines::add).traceHash();
    assertEquals(Simulation.run(5, null).traceHash(), traced);
    assertTrue(lines.size() > 100);
    assertNotEquals(Simulation.run(6, null).traceHash(), traced);
  }

  @Test
  void traceEndsWithTheReportOfTheOneSeed() {
    List<String> lines = new ArrayList<>();
    SimulationReport report = Simulator.trace(3, lines::add);
    assertTrue(report.passed());
    assertEquals(1, report.seeds());
    assertTrue(lines.get(lines.size() - 1).startsWith("trace hash "));
  }

  /**
   * De-duplication is a second line of defence: only a bug sends a frame twice. The peer may acknowledge the first copy
   * while the fabric still reads the second one from the log. This log is therefore too large to reuse the entry by
   * then. The engine needs no such log. It replays only frames that the peer lacks, and these arrive before they are
   * acknowledged.
   */
  @Test
  void dropsDuplicates() throws ReflectiveOperationException {
    Mutation everything = Mutation.mutation(
        "everything unacknowledged is replayed, whatever the peer has",
        "engine/session/RailRecovery",
        "psn - resume.expectedPsn() < 0 || resume.hasReceived(psn)",
        "false");
    Mutation largeLog = Mutation.mutation(
        "the log is 16 times as large",
        "engine/ring/SendLog",
        "    this.size = size;",
        "    this.size = 16 * size;");
    List<String> lines = new ArrayList<>();
    Object report = MutatedClasses.with(everything, largeLog)
        .loadClass("io.railflux.lab.Simulator")
        .getMethod("run", long.class, int.class, java.util.function.Consumer.class)
        .invoke(null, 1L, 60, (java.util.function.Consumer<String>) lines::add);
    lines.removeIf(line -> line.contains(Simulation.NEEDLESS_REPLAYS) || line.endsWith("failed"));
    assertEquals(List.of(), lines, "exactly once, in order, all the same");
    long dropped = (long) report.getClass().getMethod("duplicatesDropped").invoke(report);
    assertTrue(dropped > 10, () -> "dropped " + dropped);
  }
}
