package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whether to look for an answer or to sleep until it comes, by what that brought. */
class AnswerWatchTest {

  private static final int MANY = 50 * AnswerWatch.TRIAL_EVERY;

  private final AnswerWatch watch = new AnswerWatch();

  /** How many of so many exchanges were slept through, with answers after these times. */
  private int sleeps(int exchanges, long lookingNanos, long sleepingNanos) {
    int sleeps = 0;
    for (int i = 0; i < exchanges; i++) {
      boolean asleep = watch.begin();
      sleeps += asleep ? 1 : 0;
      watch.answered(asleep ? sleepingNanos : lookingNanos);
    }
    return sleeps;
  }

  @Test
  void looksAtFirstAndTriesToSleepNext() {
    assertFalse(watch.begin());
    watch.answered(20_000);
    assertTrue(watch.begin());
  }

  @Test
  void takesTheWayThatBringsAnswersSooner() {
    sleeps(4, 20_000, 15_000);
    assertEquals(MANY - MANY / AnswerWatch.TRIAL_EVERY, sleeps(MANY, 20_000, 15_000));

    AnswerWatch another = new AnswerWatch();
    another.begin();
    another.answered(7_000);
    another.begin();
    another.answered(10_000);
    assertFalse(another.begin());
  }

  @Test
  void changesItsMindWhenTheOtherWayBecameBetter() {
    sleeps(MANY, 20_000, 15_000);
    sleeps(MANY, 5_000, 15_000);

    assertEquals(MANY / AnswerWatch.TRIAL_EVERY, sleeps(MANY, 5_000, 15_000));
  }

  @Test
  void aPauseOfTheMachineChangesNothing() {
    sleeps(MANY, 20_000, 15_000);
    for (int i = 0; i < 2; i++) {
      watch.begin();
      watch.answered(400_000);
    }

    assertTrue(watch.begin());
  }

  @Test
  void goesOnLookingWhereNoAnswerEverComes() {
    int sleeps = 0;
    for (int i = 0; i < MANY; i++) {
      sleeps += watch.begin() ? 1 : 0;
    }

    assertEquals(MANY / AnswerWatch.TRIAL_EVERY, sleeps);
  }
}
