package io.railflux.fabric.sim.events;

/** Splitmix64, implemented here so that no JDK release changes the numbers. */
public final class SimRandom {

  /** Increment of the state. */
  public static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  public SimRandom(long seed) {
    state = seed;
  }

  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** The output function: a bijection that spreads every input bit over all output bits. */
  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Uniform enough for simulation: the bias of the modulo is below 2^-31 for realistic bounds. */
  public int below(int bound) {
    return (int) ((nextLong() >>> 1) % bound);
  }

  /** Both ends included. */
  public long between(long min, long max) {
    return max <= min ? min : min + (nextLong() >>> 1) % (max - min + 1);
  }

  /** Draws no number for a rate of zero, so that a disabled fault does not change the run. */
  public boolean chance(double rate) {
    return rate > 0 && (nextLong() >>> 11) * 0x1.0p-53 < rate;
  }
}
