package io.railflux.lab;

/** Seeded numbers (splitmix64), written out so that no JDK release can change them. */
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

  /** 0 to {@code bound - 1}. */
  int below(int bound) {
    return (int) ((nextLong() >>> 1) % bound);
  }

  /** Both ends included. */
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

  /** Microseconds in nanoseconds, both ends included. */
  long micros(int min, int max) {
    return between(min * 1_000L, max * 1_000L);
  }

  /** Numbers of their own for one part of a run, so that the parts do not disturb each other. */
  SeededRandom fork() {
    return new SeededRandom(nextLong());
  }
}
