package io.railflux.lab;

import io.railflux.fabric.sim.SimNetwork;
import io.railflux.fabric.sim.events.SimRandom;
import java.util.function.Consumer;

/** The events that applications observe: a running hash, text for a listener, and violations. */
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

  /** Records an action or an observation of an application. */
  void record(Seen what, long subject, long detail) {
    mix(network.now());
    mix(what.ordinal());
    mix(subject);
    mix(detail);
    if (lines != null) {
      lines.accept(network.now() + " " + what + " " + Long.toHexString(subject) + " " + detail);
    }
  }

  /** Adds a note for the reader of a trace. Notes are not hashed: the text of exceptions may differ between JDKs. */
  void note(String text) {
    if (lines != null) {
      lines.accept(network.now() + " -- " + text);
    }
  }

  boolean isListening() {
    return lines != null;
  }

  /** Records that an invariant does not hold. The first violation ends the run. */
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

  /** Returns the first violation, or null. */
  String violation() {
    return violation;
  }

  /** Returns the hash of all events of applications and of the network. */
  long hash() {
    return SimRandom.mix(hash ^ network.traceHash());
  }

  private void mix(long value) {
    hash = SimRandom.mix(hash * 31 + value);
  }
}
