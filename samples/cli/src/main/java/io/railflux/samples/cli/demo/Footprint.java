package io.railflux.samples.cli.demo;

/**
 * Memory of one process that is in RAM: when it was warm and last. Loading and compiling classes and
 * the first filling of the heap are over by then; what grows later grows with the work.
 */
final class Footprint {

  private final long warmUpNanos;
  private long firstNanos;
  private boolean begun;
  private boolean warm;
  private double warmMiB;
  private double lastMiB;

  /** @param warmUpNanos from the first event on */
  Footprint(long warmUpNanos) {
    this.warmUpNanos = warmUpNanos;
  }

  /** @param events that process has seen so far */
  synchronized void add(double mebibytes, long events, long nowNanos) {
    if (!begun && events > 0) {
      begun = true;
      firstNanos = nowNanos;
    }
    if (!warm) {
      warmMiB = mebibytes;
      warm = begun && nowNanos - firstNanos >= warmUpNanos;
    }
    lastMiB = mebibytes;
  }

  /** The last figure while the warm-up lasts. */
  synchronized double warmMiB() {
    return warmMiB;
  }

  synchronized double lastMiB() {
    return lastMiB;
  }

  /** For the summary. */
  synchronized String text() {
    return String.format("%.0f MiB when warm, %.0f MiB at the end", warmMiB, lastMiB);
  }

  @Override
  public synchronized String toString() {
    String now = String.format("%.0f MiB", lastMiB);
    return warm ? now + String.format(" (%.0f when warm)", warmMiB) : now;
  }
}
