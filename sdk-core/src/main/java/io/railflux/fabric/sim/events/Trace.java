package io.railflux.fabric.sim.events;

import java.util.function.Consumer;

/** Running hash of all events, and their text for a listener. */
public final class Trace {

  private long hash;
  private Consumer<String> listener;

  public long hash() {
    return hash;
  }

  public void listener(Consumer<String> newListener) {
    listener = newListener;
  }

  public void record(long time, EventKind kind, long subject, long detail) {
    mix(time);
    mix(kind.name().hashCode());
    mix(subject);
    mix(detail);
    if (listener != null) {
      listener.accept(time + " " + kind + " #" + subject + " " + Long.toHexString(detail));
    }
  }

  private void mix(long value) {
    hash = SimRandom.mix(hash * 31 + value);
  }
}
