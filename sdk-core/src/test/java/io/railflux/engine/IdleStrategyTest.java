package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The time for which the engine spins before it sleeps. */
class IdleStrategyTest {

  private static final long MAX = 200_000;
  private static final long MIN_SPIN = 2_000;

  private final IdleStrategy spin = new IdleStrategy(MAX, 0);
  private long sent;
  private long arrived;
  private long nowNanos;

  private void sendsAfter(long gapNanos) {
    nowNanos += gapNanos;
    spin.worked(nowNanos, nowNanos, ++sent, arrived);
  }

  private void arrivesAfter(long gapNanos) {
    nowNanos += gapNanos;
    spin.worked(nowNanos, nowNanos, sent, ++arrived);
  }

  private void assertSpins(long nanos) {
    assertEquals(nanos - 1, spin.idleNanos(nowNanos + nanos - 1));
    assertTrue(spin.mayContinue(nanos - 1, 0));
    assertFalse(spin.mayContinue(nanos, 0));
  }

  @Test
  void sleepsImmediatelyBeforeTheFirstMessage() {
    assertFalse(spin.mayContinue(spin.idleNanos(0), 0));
  }

  @Test
  void spinsForTheNextMessageAfterAMessage() {
    arrivesAfter(1_000);
    assertSpins(MAX);
  }

  @Test
  void spinsForTheAnswerToASlowlyEncodedMessage() {
    nowNanos += 1_000;
    long begun = nowNanos;
    nowNanos += MAX;
    spin.worked(begun, nowNanos, ++sent, arrived);
    assertSpins(MAX);
  }

  @Test
  void doesNotSpinAfterAHeartbeat() {
    arrivesAfter(1_000);
    spin.worked(nowNanos + MAX, nowNanos + MAX, sent, arrived);
    assertFalse(spin.mayContinue(spin.idleNanos(nowNanos + MAX), 0));
  }

  @Test
  void doesNotSpinForRareMessages() {
    for (int i = 0; i < 20; i++) {
      arrivesAfter(10 * MAX);
    }
    assertFalse(spin.mayContinue(0, 0));
  }

  @Test
  void spinsLongerForFrequentMessages() {
    for (int i = 0; i < 20; i++) {
      arrivesAfter(10 * MAX);
    }
    arrivesAfter(MAX);
    assertSpins(MIN_SPIN);
    arrivesAfter(2 * MAX - 1);
    assertSpins(2 * MIN_SPIN);
    for (int i = 0; i < 20; i++) {
      arrivesAfter(MAX);
    }
    assertSpins(MAX);
  }

  @Test
  void spinsForAnswersButNotForRareQuestions() {
    for (int i = 0; i < 20; i++) {
      sendsAfter(10 * MAX);
      assertSpins(MAX);
      arrivesAfter(MAX / 2);
    }
    assertFalse(spin.mayContinue(0, 0));
  }

  @Test
  void doesNotSpinIfNoAnswerArrives() {
    for (int i = 0; i < 20; i++) {
      sendsAfter(10 * MAX);
    }
    assertFalse(spin.mayContinue(0, 0));
  }

  /**
   * Runs twenty exchanges after a sleep, with answers after the given times. Returns whether the engine then sleeps.
   */
  private boolean sleepsForAnswers(long lookingNanos, long sleepingNanos) {
    boolean sleeps = false;
    for (int i = 0; i < 20; i++) {
      spin.slept();
      sendsAfter(10 * MAX);
      sleeps = !spin.mayContinue(0, 0);
      arrivesAfter(sleeps ? sleepingNanos : lookingNanos);
    }
    return sleeps;
  }

  @Test
  void sleepsUntilTheAnswerIfThatIsFaster() {
    assertTrue(sleepsForAnswers(20_000, 15_000));
  }

  @Test
  void spinsForTheAnswerIfThatIsFaster() {
    assertFalse(sleepsForAnswers(5_000, 15_000));
  }

  @Test
  void answersDelayedBySleepCountAsLate() {
    assertFalse(sleepsForAnswers(5_000, 10 * MAX));
  }

  @Test
  void continuousSenderExpectsNoAnswer() {
    sleepsForAnswers(20_000, 15_000);
    spin.slept();
    sendsAfter(10 * MAX);
    assertFalse(spin.mayContinue(0, 0));
    spin.slept();
    sendsAfter(50_000);

    assertTrue(spin.mayContinue(0, 0));
  }

  @Test
  void spinsAfterAnswersAndForAnswersWhileAwake() {
    sleepsForAnswers(20_000, 15_000);
    sendsAfter(1_000);
    assertTrue(spin.mayContinue(MIN_SPIN - 1, 0));
    arrivesAfter(1_000);
    assertTrue(spin.mayContinue(MIN_SPIN - 1, 0));
  }

  @Test
  void spinsForTheConfiguredMinimumExceptForAnswersThatSleepAccelerates() {
    for (int i = 0; i < 20; i++) {
      arrivesAfter(10 * MAX);
    }
    assertTrue(spin.mayContinue(MIN_SPIN - 1, MIN_SPIN));
    assertFalse(spin.mayContinue(MIN_SPIN, MIN_SPIN));
    sleepsForAnswers(20_000, 15_000);
    spin.slept();
    sendsAfter(10 * MAX);
    assertFalse(spin.mayContinue(0, MIN_SPIN));
  }

  @Test
  void neverSpinsIfSpinningIsDisabled() {
    IdleStrategy none = new IdleStrategy(0, 0);
    none.worked(1_000, 1_000, 1, 0);
    assertFalse(none.mayContinue(none.idleNanos(1_000), MIN_SPIN));
    none.worked(1_000, 1_000, 1, 1);
    assertFalse(none.mayContinue(none.idleNanos(1_000), MIN_SPIN));
  }
}
