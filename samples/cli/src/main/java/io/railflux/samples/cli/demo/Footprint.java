package io.railflux.samples.cli.demo;

/**
 * Resident memory of one process, after the warm-up and at the end. The warm-up covers class loading, compilation and
 * the first growth of the heap. Later growth depends on the work.
 */
final class Footprint {

  private final long warmUpNanos;
  private long firstNanos;
  private boolean begun;
  private boolean warm;
  private double warmMiB;
  private double lastMiB;

  /**
   * @param warmUpNanos measured from the first event
   */
  Footprint(long warmUpNanos) {
    this.warmUpNanos = warmUpNanos;
  }

  /**
   * @param events number of events of the process so far
   */
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

  /** Returns the latest reading during the warm-up. */
  synchronized double warmMiB() {
    return warmMiB;
  }

  synchronized double lastMiB() {
    return lastMiB;
  }

  /** Formats the reading for the summary. */
  synchronized String text() {
    return String.format("%.0f MiB when warm, %.0f MiB at the end", warmMiB, lastMiB);
  }

  @Override
  public synchronized String toString() {
    String now = String.format("%.0f MiB", lastMiB);
    return warm ? now + String.format(" (%.0f when warm)", warmMiB) : now;
  }
}
