package io.railflux.lab;

/** Seeded random numbers (splitmix64), implemented here so that no JDK release can change them. */
final class SeededRandom {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  SeededRandom(long seed) {
    state = mix(seed ^ GOLDEN_GAMMA);
  }

  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return (int) ((nextLong() >>> 1) % bound);
  }

  /** Returns a number from {@code min} to {@code max}, both inclusive. */
  int between(int min, int max) {
    return (int) between((long) min, (long) max);
  }

  long between(long min, long max) {
    return max <= min ? min : min + (nextLong() >>> 1) % (max - min + 1);
  }

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
