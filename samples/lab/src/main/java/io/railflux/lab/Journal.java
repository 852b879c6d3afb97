package io.railflux.lab;

import io.railflux.fabric.sim.SimNetwork;
import java.util.function.Consumer;

/** What applications saw: a running hash, the same as text while somebody listens, and findings. */
final class Journal {

  private final SimNetwork network;
  private Consumer<String> lines;
  private long hash;
  private String violation;

  Journal(SimNetwork network) {
    this.network = network;
  }

  void listener(Consumer<String> newLines) {
    lines = newLines;
  }

  /** Something an application did or saw. */
  void record(Seen what, long subject, long detail) {
    mix(network.now());
    mix(what.ordinal());
    mix(subject);
    mix(detail);
    if (lines != null) {
      lines.accept(network.now() + " " + what + " " + Long.toHexString(subject) + " " + detail);
    }
  }

  /** For people only: no part of the hash, since exceptions may read differently from JDK to JDK. */
  void note(String text) {
    if (lines != null) {
      lines.accept(network.now() + " -- " + text);
    }
  }

  boolean isListening() {
    return lines != null;
  }

  /** An invariant does not hold. The first one counts: it ends the run. */
  void violation(String text) {
    if (violation == null) {
      violation = "at " + network.now() / 1_000 + " us: " + text;
      note("VIOLATION " + text);
    }
  }

  void require(boolean holds, String text) {
    if (!holds) {
      violation(text);
    }
  }

  /** The first violation or null. */
  String violation() {
    return violation;
  }

  /** Everything applications saw and everything the network did. */
  long hash() {
    return SeededRandom.mix(hash ^ network.traceHash());
  }

  private void mix(long value) {
    hash = SeededRandom.mix(hash * 31 + value);
  }
}
