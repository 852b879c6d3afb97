package io.railflux.fabric.sim;

/**
 * The seed of tests whose outcome must not depend on it. {@code -Drailflux.sim.seed=n} sets another seed. A failure
 * contains the seed.
 */
final class Seeds {

  private Seeds() {}

  static long seed() {
    return Long.getLong("railflux.sim.seed", 1);
  }
}
