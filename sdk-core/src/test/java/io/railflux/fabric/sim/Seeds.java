package io.railflux.fabric.sim;

/**
 * Seed of tests whose outcome must not depend on it. {@code -Drailflux.sim.seed=n} tries another; a
 * failure names the one it had.
 */
final class Seeds {

  private Seeds() {}

  static long seed() {
    return Long.getLong("railflux.sim.seed", 1);
  }
}
