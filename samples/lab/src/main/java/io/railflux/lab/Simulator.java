package io.railflux.lab;

import java.util.function.Consumer;

/** Runs the deterministic simulation over many seeds, or one seed with a trace. */
public final class Simulator {

  private Simulator() {}

  /**
   * Runs {@code count} seeds from {@code firstSeed} on, one after the other.
   *
   * @param progress hears a line now and then, and one for every failing seed
   */
  public static SimulationReport run(long firstSeed, int count, Consumer<String> progress) {
    return SimulationReport.EMPTY;
  }

  /** Repeats one seed and tells everything that happened in it, line by line. */
  public static SimulationReport trace(long seed, Consumer<String> lines) {
    return SimulationReport.EMPTY;
  }
}
