package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Decides whether to spin or to sleep until an answer arrives, by measuring both. */
class AnswerWatchTest {

  private static final int MANY = 20 * IdleStrategy.AnswerWatch.MAX_UNTIL_TRIAL;

  private final IdleStrategy.AnswerWatch watch = new IdleStrategy.AnswerWatch();

  /** Returns whether the engine sleeps until the answer. */
  private boolean begins() {
    watch.begin();
    return watch.sleeps();
  }

  /** Returns the number of exchanges with a sleep, for answers after the given times. */
  private int sleeps(int exchanges, long lookingNanos, long sleepingNanos) {
    int sleeps = 0;
    for (int i = 0; i < exchanges; i++) {
      boolean asleep = begins();
      sleeps += asleep ? 1 : 0;
      watch.answered(asleep ? sleepingNanos : lookingNanos);
    }
    return sleeps;
  }

  @Test
  void spinsFirstAndThenTriesToSleep() {
    assertFalse(begins());
    watch.answered(20_000);
    assertTrue(begins());
  }

  @Test
  void choosesTheVariantWithEarlierAnswers() {
    assertTrue(sleeps(MANY, 20_000, 15_000) > MANY * 9 / 10);
  }

  @Test
  void triesTheOtherVariantLessOftenWithoutChange() {
    int first = sleeps(200, 7_000, 10_000);
    assertTrue(first > 3, () -> first + " trials");
    sleeps(MANY, 7_000, 10_000);

    assertEquals(4, sleeps(4 * (IdleStrategy.AnswerWatch.MAX_UNTIL_TRIAL + 1), 7_000, 10_000));
  }

  @Test
  void switchesWhenTheOtherVariantBecomesBetter() {
    sleeps(MANY, 20_000, 15_000);
    sleeps(MANY, 5_000, 15_000);
    assertTrue(sleeps(MANY, 5_000, 15_000) < MANY / 100);

    sleeps(MANY, 30_000, 15_000);
    assertTrue(sleeps(MANY, 30_000, 15_000) > MANY * 9 / 10);
  }

  @Test
  void pauseOfTheMachineChangesNothing() {
    sleeps(MANY, 20_000, 10_000);
    sleeps(2, 400_000, 400_000);

    assertTrue(sleeps(10, 20_000, 10_000) >= 9);
  }

  @Test
  void continuesSpinningIfNoAnswerEverArrives() {
    int sleeps = 0;
    for (int i = 0; i < MANY; i++) {
      sleeps += begins() ? 1 : 0;
    }

    assertTrue(sleeps < MANY / 100);
  }
}
