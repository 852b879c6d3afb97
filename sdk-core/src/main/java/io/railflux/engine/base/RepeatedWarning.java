package io.railflux.engine.base;

import java.util.concurrent.TimeUnit;

/**
 * Limits repeated warnings about one subject: after a report, further warnings within a minute are only counted.
 * Engine thread only.
 */
public final class RepeatedWarning {

  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private boolean reported;
  private long reportedNanos;
  private long counted;

  /** Returns whether to report a warning now. Otherwise it is counted. */
  public boolean isDue(long nowNanos) {
    if (reported && nowNanos - reportedNanos < INTERVAL_NANOS) {
      counted++;
      return false;
    }
    reported = true;
    reportedNanos = nowNanos;
    return true;
  }

  /** Returns the end of a sentence with the number of warnings since the last report, and counts anew. */
  public String sinceLastReport() {
    String text = counted == 0 ? "" : "; " + counted + " similar failures since the last report";
    counted = 0;
    return text;
  }
}
