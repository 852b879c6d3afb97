package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decides whether lines of a ring are prefetched, by measuring the gain. */
class LineFetchingTest {

  /** Cycles between the ends of two trials. */
  private static final int TRIAL = LineFetching.UNTIL_TRIAL + 2;

  private static final int ENOUGH = (LineFetching.SURE + 1) * TRIAL;
  private static final int TURN = 1024;

  private final LineFetching lines = new LineFetching();
  private long now;
  private long sent;

  /** Runs a cycle that sends messages for a duration. Returns whether it prefetched. */
  private boolean cycle(int messages, long nanos) {
    boolean fetched = lines.fetches();
    now += nanos;
    sent += messages;
    lines.begin(now, sent);
    return fetched;
  }

  /** Returns the number of cycles that prefetched. */
  private int cycles(int count, int messages, long fetchingNanos, long plainNanos) {
    int fetching = 0;
    for (int i = 0; i < count; i++) {
      fetching += cycle(messages, lines.fetches() ? fetchingNanos : plainNanos) ? 1 : 0;
    }
    return fetching;
  }

  @Test
  void fetchesAtFirst() {
    assertTrue(lines.fetches());
  }

  @Test
  void continuesPrefetchingIfItIsFaster() {
    cycles(4 * ENOUGH, TURN, 25_000, 30_000);

    assertEquals(10 * (TRIAL - 1), cycles(10 * TRIAL, TURN, 25_000, 30_000));
  }

  @Test
  void stopsPrefetchingIfItIsSlower() {
    cycles(ENOUGH, TURN, 30_000, 25_000);

    assertEquals(10, cycles(10 * TRIAL, TURN, 30_000, 25_000), "in trials only");
  }

  @Test
  void resumesPrefetchingWhenItBecomesFaster() {
    cycles(ENOUGH, TURN, 30_000, 25_000);
    cycles(ENOUGH, TURN, 25_000, 30_000);

    assertEquals(10 * (TRIAL - 1), cycles(10 * TRIAL, TURN, 25_000, 30_000));
  }

  @Test
  void changesNothingForEqualTimes() {
    cycles(10 * ENOUGH, TURN, 25_000, 25_000);

    assertEquals(10 * (TRIAL - 1), cycles(10 * TRIAL, TURN, 25_000, 25_000));
  }

  @Test
  void aFewTrialsDecideNothing() {
    cycles((LineFetching.SURE - 1) * TRIAL, TURN, 30_000, 25_000);
    cycles(LineFetching.SURE * TRIAL, TURN, 25_000, 30_000);
    cycles((LineFetching.SURE - 1) * TRIAL, TURN, 30_000, 25_000);

    assertEquals(TRIAL - 1, cycles(TRIAL, TURN, 25_000, 30_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, LineFetching.MIN_MESSAGES - 1})
  void ignoresCyclesWithFewMessages(int messages) {
    assertEquals(ENOUGH, cycles(ENOUGH, messages, 30_000, 25_000));
  }

  @Test
  void trialWithFewMessagesHasNoResult() {
    for (int trial = 0; trial < ENOUGH; trial++) {
      cycles(LineFetching.UNTIL_TRIAL + 1, TURN, 30_000, 25_000);
      cycle(1, 25_000);
      assertTrue(lines.fetches());
    }
  }

  @Test
  void trialsAlternateTheFirstVariant() {
    cycles(LineFetching.UNTIL_TRIAL, TURN, 25_000, 30_000);
    assertTrue(cycle(TURN, 25_000));
    assertFalse(cycle(TURN, 30_000));
    cycles(LineFetching.UNTIL_TRIAL, TURN, 25_000, 30_000);
    assertFalse(cycle(TURN, 30_000));
    assertTrue(cycle(TURN, 25_000));
  }

  @Test
  void alternatingLoadDecidesNothing() {
    int fetching = 0;
    for (int i = 0; i < 10 * ENOUGH; i++) {
      fetching += cycle(TURN, i % 2 == 0 ? 30_000 : 25_000) ? 1 : 0;
    }

    assertEquals(10 * (LineFetching.SURE + 1) * (TRIAL - 1), fetching);
  }

  @Test
  void noiseDecidesNothing() {
    Random random = new Random(1);
    int fetching = 0;
    for (int i = 0; i < 20 * ENOUGH; i++) {
      fetching += cycle(TURN, 25_000 + random.nextInt(5_000)) ? 1 : 0;
    }

    assertEquals(20 * (LineFetching.SURE + 1) * (TRIAL - 1), fetching);
  }

  @Test
  void comparesTheTimePerMessage() {
    for (int i = 0; i < ENOUGH; i++) {
      boolean fetched = lines.fetches();
      cycle(fetched ? TURN : 4 * TURN, fetched ? 25_000 : 90_000);
    }

    assertFalse(lines.fetches(), "90 µs for four times as many");
  }
}
