package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Railflux and a peer in alternation, cell by cell, so that changes of the machine affect both. */
final class Comparison {

  /** Attempts until the machine is steady during a pair. */
  private static final int TRIES = 3;

  private final List<Cell> cells;
  private final List<Peer> peers;
  private final Pair pair;
  private final Probe probe;
  private final PrintWriter progress;
  private final PeerResults results = new PeerResults();

  /** The probe after one pair is the probe before the next. */
  private double probed = Double.NaN;

  /** Alternates, so that a machine that becomes slower or faster favors neither side. */
  private boolean peerFirst = true;

  private boolean leftOut;

  Comparison(List<Cell> cells, List<Peer> peers, Pair pair, Probe probe, PrintWriter progress) {
    this.cells = cells;
    this.peers = new ArrayList<>(peers);
    this.pair = pair;
    this.probe = probe;
    this.progress = progress;
  }

  /** Measures all cells once. */
  void run() {
    peerFirst = !peerFirst;
    for (Cell cell : cells) {
      for (Peer peer : List.copyOf(peers)) {
        if (peer.does(cell.kind().exchange())) {
          measure(cell, peer);
        }
      }
    }
  }

  /** Returns the results of all runs so far. */
  List<Row> rows() {
    return results.rows();
  }

  /** Returns whether a peer failed. */
  boolean leftOut() {
    return leftOut;
  }

  /** A failing peer is skipped from then on. A failure of Railflux ends the command. */
  private void measure(Cell cell, Peer peer) {
    for (int left = TRIES; left > 0; left--) {
      Measured measured;
      try {
        measured = measured(cell, peer);
      } catch (PeerFailure e) {
        peers.remove(peer);
        leftOut = true;
        say("%s: %s skipped from here on: %s", cell, peer, e.getMessage());
        return;
      }
      if (add(cell, peer, measured, left == 1)) {
        return;
      }
    }
  }

  private record Measured(
      Map<Cell.Measure, Double> ours, Map<Cell.Measure, Double> theirs, Probes probes) {}

  private static final class PeerFailure extends Exception {

    private static final long serialVersionUID = 1L;

    PeerFailure(CommandFailure cause) {
      super(cause.getMessage(), cause);
    }
  }

  private Measured measured(Cell cell, Peer peer) throws PeerFailure {
    double before = Double.isNaN(probed) ? probe() : probed;
    Map<Cell.Measure, Double> theirs = peerFirst ? theirs(cell, peer) : null;
    double between = peerFirst ? probe() : Double.NaN;
    Map<Cell.Measure, Double> ours = pair.railflux(cell);
    if (!peerFirst) {
      between = probe();
      theirs = theirs(cell, peer);
    }
    return new Measured(ours, theirs, new Probes(before, between, probe()));
  }

  private Map<Cell.Measure, Double> theirs(Cell cell, Peer peer) throws PeerFailure {
    try {
      return pair.peer(peer, cell);
    } catch (CommandFailure e) {
      throw new PeerFailure(e);
    }
  }

  private double probe() {
    probed = probe.micros();
    return probed;
  }

  /**
   * Adds a measurement and returns whether it counts. A pair counts only if the machine was steady or no attempt is
   * left.
   */
  private boolean add(Cell cell, Peer peer, Measured measured, boolean last) {
    Probes probes = measured.probes();
    boolean counts = last || probes.steady();
    if (counts) {
      results.add(peer.toString(), cell, measured.ours(), measured.theirs());
      results.addProbes(cell, probes);
    }
    Cell.Measure first = cell.kind().measures().get(0);
    say(
        "%s: railflux %s, %s %s %s; %s%s",
        cell,
        MarkdownTable.number(measured.ours().get(first)),
        peer,
        MarkdownTable.number(measured.theirs().get(first)),
        first.unit(),
        probes,
        probes.steady() ? "" : ": the machine changed" + (counts ? "" : ", not counted"));
    return counts;
  }

  private void say(String format, Object... what) {
    progress.printf(format + "%n", what);
    progress.flush();
  }
}
