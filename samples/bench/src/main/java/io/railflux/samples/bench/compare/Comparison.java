package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Railflux and a peer in turn, cell by cell, again and again: what the machine does meets both. */
final class Comparison {

  /** For a machine that stays what it is during a pair. */
  private static final int TRIES = 3;

  private final List<Cell> cells;
  private final List<Peer> peers;
  private final Pair pair;
  private final Probe probe;
  private final PrintWriter progress;
  private double probed = Double.NaN;
  private final Results results = new Results();

  Comparison(List<Cell> cells, List<Peer> peers, Pair pair, Probe probe, PrintWriter progress) {
    this.cells = cells;
    this.peers = new ArrayList<>(peers);
    this.pair = pair;
    this.probe = probe;
    this.progress = progress;
  }

  /** Once more; returns the rows of all runs so far. */
  List<Row> run() {
    for (Cell cell : cells) {
      for (Peer peer : List.copyOf(peers)) {
        if (peer.does(cell.kind().exchange())) {
          measure(cell, peer);
        }
      }
    }
    return results.rows();
  }

  private void measure(Cell cell, Peer peer) {
    try {
      for (int left = TRIES; left > 0; left--) {
        if (measured(cell, peer, left == 1)) {
          return;
        }
      }
    } catch (CommandFailure e) {
      peers.remove(peer);
      progress.printf("%s: no %s from here on: %s%n", cell, peer, e.getMessage());
      progress.flush();
    }
  }

  /** Returns whether it counts: a pair during which the machine changed does so only as the last one. */
  private boolean measured(Cell cell, Peer peer, boolean last) {
    double before = Double.isNaN(probed) ? probe(cell) : again(cell);
    Map<Cell.Measure, Double> ours = pair.railflux(cell);
    double between = probe(cell);
    Map<Cell.Measure, Double> theirs = pair.peer(peer, cell);
    Probes probes = new Probes(before, between, probe(cell));
    boolean counts = last || probes.steady();
    if (counts) {
      results.add(peer.toString(), cell, ours, theirs);
    }
    Cell.Measure first = cell.kind().measures().get(0);
    progress.printf(
        "%s: railflux %s, %s %s %s; %s%s%n",
        cell,
        MarkdownTable.number(ours.get(first)),
        peer,
        MarkdownTable.number(theirs.get(first)),
        first.unit(),
        probes,
        probes.steady() ? "" : ": the machine changed" + (counts ? "" : ", does not count"));
    progress.flush();
    return counts;
  }

  private double probe(Cell cell) {
    probed = probe.micros();
    return again(cell);
  }

  /** What came after one run came before the next. */
  private double again(Cell cell) {
    results.addProbe(cell, probed);
    return probed;
  }
}
