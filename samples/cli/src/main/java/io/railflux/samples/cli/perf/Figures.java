package io.railflux.samples.cli.perf;

import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.samples.cli.shell.ProcessFigures;

/**
 * What one side has counted, and what its process has used so far.
 *
 * @param misplaced messages that did not carry the number expected next
 * @param damaged messages that were not what had been sent, as far as that was looked at
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
