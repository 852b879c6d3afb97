package io.railflux.engine.base;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts subscriptions that fail in quick succession. An operator such as {@code retry()} subscribes again without
 * a pause. Other streams keep their turns (D17), but the node never sleeps; the log line states the reason. Engine
 * thread only.
 */
public final class FailureBursts {

  /** Number of failures within a second that indicates a burst. */
  static final int MANY = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(FailureBursts.class);

  private static final long WINDOW_NANOS = 1_000_000_000L;
  private static final long LOG_INTERVAL_NANOS = 60 * WINDOW_NANOS;

  /** Number of subjects counted at the same time. The subject with the oldest first failure leaves first. */
  static final int MAX_SUBJECTS = 64;

  private static final class Burst {
    private long startNanos;
    private int failures;
    private boolean logged;
    private long loggedNanos;
  }

  private final LongSupplier clock;
  private final Map<String, Burst> bursts = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Burst> eldest) {
      return size() > MAX_SUBJECTS;
    }
  };

  /** @param clock time of the engine's cycles in nanoseconds */
  public FailureBursts(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Counts a subscription that failed, or ended, before it began.
   *
   * @param subject the subscribed stream with the name of the peer
   * @return whether the burst was logged
   */
  public boolean failed(String subject) {
    long now = clock.getAsLong();
    Burst burst = bursts.computeIfAbsent(subject, key -> new Burst());
    if (burst.failures == 0 || now - burst.startNanos >= WINDOW_NANOS) {
      burst.startNanos = now;
      burst.failures = 0;
    }
    burst.failures++;
    boolean logs = burst.failures == MANY && mayLog(burst, now);
    if (logs) {
      burst.logged = true;
      burst.loggedNanos = now;
      LOG.warn(
          "{} was subscribed to and failed {} times within a second, which keeps the node from sleeping;"
              + " use retryWhen with a backoff instead of retry",
          subject,
          MANY);
    }
    return logs;
  }

  /** Number of counted subjects. */
  int size() {
    return bursts.size();
  }

  private static boolean mayLog(Burst burst, long now) {
    return !burst.logged || now - burst.loggedNanos >= LOG_INTERVAL_NANOS;
  }
}
