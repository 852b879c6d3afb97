package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whether to look for an answer or to sleep until it comes, by what that brought. */
class AnswerWatchTest {

  private static final int MANY = 20 * AnswerWatch.MOST_UNTIL_TRIAL;

  private final AnswerWatch watch = new AnswerWatch();

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
    assertTrue(first > 3 * AnswerWatch.TRIES, () -> first + " tries");
    sleeps(MANY, 7_000, 10_000);

    int untilNext = AnswerWatch.MOST_UNTIL_TRIAL + AnswerWatch.TRIES;
    assertEquals(4 * AnswerWatch.TRIES, sleeps(4 * untilNext, 7_000, 10_000));
  }

  @Test
  void changesItsMindWhenTheOtherWayBecameBetter() {
    sleeps(MANY, 20_000, 15_000);
    sleeps(MANY, 5_000, 15_000);
    assertTrue(sleeps(MANY, 5_000, 15_000) < MANY / 25);

    sleeps(MANY, 30_000, 15_000);
    assertTrue(sleeps(MANY, 30_000, 15_000) > MANY * 9 / 10);
  }

  @Test
  void aSingleTrialIsEnough() {
    sleeps(MANY, 40_000, 80_000);
    sleeps(AnswerWatch.MOST_UNTIL_TRIAL + AnswerWatch.TRIES, 40_000, 20_000);

    assertTrue(begins());
  }

  /** Looks once for 20 µs, then tries to sleep so often; returns whether it goes on sleeping. */
  private boolean sleepsAfter(long... sleepingNanos) {
    AnswerWatch tried = new AnswerWatch();
    tried.begin();
    tried.answered(20_000);
    for (long nanos : sleepingNanos) {
      tried.begin();
      assertTrue(tried.sleeps());
      tried.answered(nanos);
    }
    tried.begin();
    return tried.sleeps();
  }

  @Test
  void aPauseOfTheMachineDuringATrialChangesNothing() {
    assertTrue(sleepsAfter(400_000, 10_000, 10_000));
    assertTrue(sleepsAfter(10_000, 400_000, 10_000));
    assertTrue(sleepsAfter(10_000, 10_000, 400_000));
  }

  @Test
  void oneTryThatWasLuckyChangesNothing() {
    assertFalse(sleepsAfter(10_000, 30_000, 30_000));
    assertFalse(sleepsAfter(30_000, 10_000, 30_000));
    assertFalse(sleepsAfter(30_000, 30_000, 10_000));
  }

  @Test
  void aTrialThatWasLuckyIsUndoneSoon() {
    sleeps(MANY, 20_000, 30_000);
    // Until it looks for sure, then to its next trial.
    while (begins()) {
      watch.answered(30_000);
    }
    do {
      watch.answered(20_000);
    } while (!begins());
    watch.answered(10_000);
    sleeps(AnswerWatch.TRIES - 1, 20_000, 10_000);
    assertEquals(
        AnswerWatch.LEAST_UNTIL_TRIAL,
        sleeps(AnswerWatch.LEAST_UNTIL_TRIAL + AnswerWatch.TRIES, 20_000, 30_000));

    assertFalse(begins());
  }

  @Test
  void learnsAlsoWhereEveryOtherExchangeIsNotAnswered() {
    int sleeps = 0;
    for (int i = 0; i < MANY; i++) {
      sleeps += begins() ? 1 : 0;
      sleeps += sleeps(1, 40_000, 20_000);
    }

    assertTrue(sleeps > 2 * MANY * 9 / 10);
  }

  @Test
  void aTrialThatIsHardlyAnsweredChangesNothing() {
    sleeps(1, 20_000, 10_000);
    sleeps(AnswerWatch.TRIES - 1, 20_000, 10_000);
    for (int i = AnswerWatch.TRIES - 1; i < AnswerWatch.MOST_BEGUN; i++) {
      assertTrue(begins());
    }

    assertFalse(begins());
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

    assertTrue(sleeps < MANY / 25);
  }
}
