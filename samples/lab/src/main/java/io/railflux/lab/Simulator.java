package io.railflux.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs the deterministic simulation over many seeds, or one seed with a trace. */
public final class Simulator {

  private static final int REPORT_EVERY = 100;

  private Simulator() {}

  /**
   * Runs {@code count} consecutive seeds, starting with {@code firstSeed}.
   * @param progress receives a line at intervals, and a line for every failing seed
   */
  public static SimulationReport run(long firstSeed, int count, Consumer<String> progress) {
    return run(firstSeed, count, progress, soFar -> {});
  }

  /**
   * As {@link #run(long, int, Consumer)}.
   * @param running receives the cumulative report after each seed
   */
  public static SimulationReport run(
      long firstSeed, int count, Consumer<String> progress, Consumer<SimulationReport> running) {
    Totals totals = new Totals();
    for (int i = 0; i < count; i++) {
      long seed = firstSeed + i;
      totals.add(seed, Simulation.run(seed, null), progress);
      running.accept(totals.report());
      if ((i + 1) % REPORT_EVERY == 0) {
        progress.accept(i + 1 + " seeds, " + totals.violations + " failed");
      }
    }
    return totals.report();
  }

  /** Repeats one seed and reports every event as one line. */
  public static SimulationReport trace(long seed, Consumer<String> lines) {
    Totals totals = new Totals();
    Outcome outcome = Simulation.run(seed, lines);
    totals.add(seed, outcome, lines);
    lines.accept("trace hash " + Long.toHexString(outcome.traceHash()));
    return totals.report();
  }

  private static final class Totals {

    private final long startNanos = System.nanoTime();
    private final Map<String, Long> faults = new TreeMap<>();
    private int seeds;
    private int violations;
    private long firstFailingSeed;
    private long replays;
    private long duplicates;
    private double virtualSeconds;

    void add(long seed, Outcome outcome, Consumer<String> lines) {
      seeds++;
      outcome.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
      replays += outcome.counts().replays();
      duplicates += outcome.counts().duplicates();
      virtualSeconds += outcome.virtualNanos() / 1e9;
      if (outcome.violation() != null) {
        firstFailingSeed = violations == 0 ? seed : firstFailingSeed;
        violations++;
        lines.accept("seed " + seed + " failed " + outcome.violation() + "; repeat it with --seed "
            + seed + " --trace");
      }
    }

    SimulationReport report() {
      double wallSeconds = (System.nanoTime() - startNanos) / 1e9;
      return new SimulationReport(
          seeds,
          violations,
          firstFailingSeed,
          Map.copyOf(faults),
          replays,
          duplicates,
          virtualSeconds,
          wallSeconds);
    }
  }
}
