package io.railflux.samples.bench.compare;

/** Round trips over bare rings before, between and after the two runs of a pair, in microseconds. */
record Probes(double before, double between, double after) {

  /**
   * Largest ratio of a steady machine. A host that migrates virtual processors causes a ratio of four, other load some
   * tenths.
   */
  private static final double STEADY = 1.5;

  /** Returns whether the machine was steady during both runs, so that their ratio is valid. */
  boolean steady() {
    double least = Math.min(before, Math.min(between, after));
    double most = Math.max(before, Math.max(between, after));
    return most <= STEADY * least;
  }

  @Override
  public String toString() {
    return "probe %s, %s, %s µs"
        .formatted(
            MarkdownTable.number(before),
            MarkdownTable.number(between),
            MarkdownTable.number(after));
  }
}
