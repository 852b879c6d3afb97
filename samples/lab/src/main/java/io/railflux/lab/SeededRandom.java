package io.railflux.lab;

import io.railflux.fabric.sim.events.SimRandom;

/** Seeded random numbers of the workload, independent of those of the network. */
final class SeededRandom {

  private final SimRandom random;

  SeededRandom(long seed) {
    random = new SimRandom(SimRandom.mix(seed ^ SimRandom.GOLDEN_GAMMA));
  }

  long nextLong() {
    return random.nextLong();
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.below(bound);
  }

  /** Returns a number from {@code min} to {@code max}, both inclusive. */
  int between(int min, int max) {
    return (int) between((long) min, (long) max);
  }

  long between(long min, long max) {
    return random.between(min, max);
  }

  /** Draws a number for every rate, including zero. */
  boolean chance(double rate) {
    return (nextLong() >>> 11) * 0x1.0p-53 < rate;
  }

  int pick(int... choices) {
    return choices[below(choices.length)];
  }

  /** Returns a duration in nanoseconds. The bounds are in microseconds and inclusive. */
  long micros(int min, int max) {
    return between(min * 1_000L, max * 1_000L);
  }

  /** Returns a separate sequence for one part of a run, so that parts do not influence each other. */
  SeededRandom fork() {
    return new SeededRandom(nextLong());
  }
}
