package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Railflux and a peer in turn, cell by cell, again and again: what the machine does meets both. */
final class Comparison {

  private final List<Cell> cells;
  private final List<Peer> peers;
  private final Pair pair;
  private final PrintWriter progress;
  private final Results results = new Results();

  Comparison(List<Cell> cells, List<Peer> peers, Pair pair, PrintWriter progress) {
    this.cells = cells;
    this.peers = new ArrayList<>(peers);
    this.pair = pair;
    this.progress = progress;
  }

  /** Once more; returns the rows of all runs so far. */
  List<Row> run() {
    for (Cell cell : cells) {
      for (Peer peer : List.copyOf(peers)) {
        measure(cell, peer);
      }
    }
    return results.rows();
  }

  private void measure(Cell cell, Peer peer) {
    Map<Cell.Measure, Double> ours = pair.railflux(cell);
    try {
      Map<Cell.Measure, Double> theirs = pair.peer(peer, cell);
      results.add(peer.toString(), cell, ours, theirs);
      Cell.Measure first = cell.kind().measures().get(0);
      progress.printf(
          "%s: railflux %s, %s %s %s%n",
          cell,
          MarkdownTable.number(ours.get(first)),
          peer,
          MarkdownTable.number(theirs.get(first)),
          first.unit());
    } catch (CommandFailure e) {
      peers.remove(peer);
      progress.printf("%s: no %s from here on: %s%n", cell, peer, e.getMessage());
    }
    progress.flush();
  }
}
