package io.railflux.samples.bench.compare;

/**
 * What the machine could do around the two runs of a pair: a round trip over bare rings before the one, between them and
 * after the other, in microseconds.
 */
record Probes(double before, double between, double after) {

  /** A host that moves the virtual processors makes it four times as long, what else runs there some tenths. */
  private static final double STEADY = 1.5;

  /** Whether both runs had the same machine, so that one may be divided by the other. */
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
