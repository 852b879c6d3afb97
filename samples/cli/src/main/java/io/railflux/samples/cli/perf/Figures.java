package io.railflux.samples.cli.perf;

import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.samples.cli.shell.ProcessFigures;

/**
 * The counts of one side and the resource usage of its process so far.
 * @param misplaced messages with an unexpected number
 * @param damaged messages with unexpected content, as far as the content was verified
 */
record Figures(
    long received,
    long requested,
    long misplaced,
    long damaged,
    long cpuNanos,
    long allocatedBytes,
    long rssBytes) {

  static final Route<Boolean, Figures> ROUTE =
      new Route<>("perf.figures", Codecs.bool(), Codecs.record(Figures.class));

  static Figures of(String nodeName, Counting counting) {
    return new Figures(
        counting.received(),
        counting.requested(),
        counting.misplaced(),
        counting.damaged(),
        ProcessFigures.cpuNanos(),
        ProcessFigures.allocatedBytes(nodeName),
        ProcessFigures.rssBytes());
  }
}
