package io.railflux;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Configures how tests await a condition. By default, Awaitility polls every 100 ms after an initial delay of 100 ms,
 * which is slower than necessary. Its limit of 10 s is too short for a busy machine.
 */
public final class PollDefaults implements LauncherSessionListener {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMillis(64);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  public PollDefaults() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollInterval(
        IterativePollInterval.iterative(PollDefaults::next, SHORTEST));
    Awaitility.setDefaultTimeout(LIMIT);
  }

  private static Duration next(Duration previous) {
    Duration doubled = previous.multipliedBy(2);
    return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }
}
