package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whether to look for an answer or to sleep until it comes, by what that brought. */
class AnswerWatchTest {

  private static final int MANY = 20 * IdleStrategy.AnswerWatch.MAX_UNTIL_TRIAL;

  private final IdleStrategy.AnswerWatch watch = new IdleStrategy.AnswerWatch();

  /** Returns whether it sleeps until the answer. */
  private boolean begins() {
    watch.begin();
    return watch.sleeps();
  }

  /** How many of so many exchanges were slept through, with answers after these times. */
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
  void looksAtFirstAndTriesToSleepNext() {
    assertFalse(begins());
    watch.answered(20_000);
    assertTrue(begins());
  }

  @Test
  void takesTheWayThatBringsAnswersSooner() {
    assertTrue(sleeps(MANY, 20_000, 15_000) > MANY * 9 / 10);
  }

  @Test
  void triesTheOtherWaySeldomerTheLongerThatChangesNothing() {
    int first = sleeps(200, 7_000, 10_000);
    assertTrue(first > 3, () -> first + " trials");
    sleeps(MANY, 7_000, 10_000);

    assertEquals(4, sleeps(4 * (IdleStrategy.AnswerWatch.MAX_UNTIL_TRIAL + 1), 7_000, 10_000));
  }

  @Test
  void changesItsMindWhenTheOtherWayBecameBetter() {
    sleeps(MANY, 20_000, 15_000);
    sleeps(MANY, 5_000, 15_000);
    assertTrue(sleeps(MANY, 5_000, 15_000) < MANY / 100);

    sleeps(MANY, 30_000, 15_000);
    assertTrue(sleeps(MANY, 30_000, 15_000) > MANY * 9 / 10);
  }

  @Test
  void aPauseOfTheMachineChangesNothing() {
    sleeps(MANY, 20_000, 10_000);
    sleeps(2, 400_000, 400_000);

    assertTrue(sleeps(10, 20_000, 10_000) >= 9);
  }

  @Test
  void goesOnLookingWhereNoAnswerEverComes() {
    int sleeps = 0;
    for (int i = 0; i < MANY; i++) {
      sleeps += begins() ? 1 : 0;
    }

    assertTrue(sleeps < MANY / 100);
  }
}
