package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Contenders;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Runs Railflux and each peer in turn, cell by cell, again and again: what the machine does meets all of them. */
final class Comparison {

  private final List<Cell> cells;
  private final List<Contenders> contenders;
  private final Pair pair;
  private final PrintWriter progress;

  Comparison(List<Cell> cells, List<Contenders> contenders, Pair pair, PrintWriter progress) {
    this.cells = cells;
    this.contenders = contenders;
    this.pair = pair;
    this.progress = progress;
  }

  Results run(int runs) {
    Results results = new Results();
    for (int run = 1; run <= runs; run++) {
      for (Cell cell : cells) {
        progress.printf("run %d of %d, %s:", run, runs, cell);
        add(results, Results.RAILFLUX, cell, pair.railflux(cell));
        for (Contenders contender : contenders) {
          add(results, contender.toString(), cell, pair.peer(contender, cell));
        }
        progress.println();
      }
    }
    return results;
  }

  private void add(Results results, String peer, Cell cell, Map<Cell.Measure, Double> figures) {
    results.add(peer, cell, figures);
    Cell.Measure first = cell.kind().measures().get(0);
    progress.printf(" %s %,.2f", peer, figures.get(first));
    progress.flush();
  }
}
