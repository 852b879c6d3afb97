package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many failures within a second are logged once per minute for each subject. */
class FailureBurstsTest {

  private static final String SUBJECT = "receive 'x' of peer 'b'";

  private long now = -TimeUnit.HOURS.toNanos(1);
  private final FailureBursts bursts = new FailureBursts(() -> now);

  private long logged(int failures, long pauseNanos) {
    return IntStream.range(0, failures)
        .filter(i -> {
          now += pauseNanos;
          return bursts.failed(SUBJECT);
        })
        .count();
  }

  @Test
  void burstIsLoggedOnce() {
    assertEquals(0, logged(FailureBursts.MANY - 1, 1_000));
    assertEquals(1, logged(1, 1_000));
    assertEquals(0, logged(100 * FailureBursts.MANY, 1_000));
  }

  @Test
  void longBurstIsLoggedOncePerMinute() {
    int minutes = 3;
    int failures = minutes * 60 * 2 * FailureBursts.MANY;

    assertEquals(minutes, logged(failures, TimeUnit.SECONDS.toNanos(1) / (2 * FailureBursts.MANY)));
  }

  @Test
  void rareFailuresAreNotLogged() {
    assertEquals(0, logged(10 * FailureBursts.MANY, TimeUnit.MILLISECONDS.toNanos(2)));
  }

  @Test
  void subjectsAreCountedSeparatelyInBoundedMemory() {
    for (int i = 0; i < 10 * FailureBursts.MANY; i++) {
      assertEquals(false, bursts.failed("receive '" + i + "'"));
    }
    assertEquals(FailureBursts.MAX_SUBJECTS, bursts.size());
  }
}
