package io.railflux.fabric.faults;

import java.util.Collections;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Chooses and counts faults. */
final class Dice {

  private final FaultConfig config;
  private final SplittableRandom random;
  private final TreeMap<String, Long> counts = new TreeMap<>();

  Dice(FaultConfig config) {
    this.config = config;
    this.random = new SplittableRandom(config.seed());
  }

  boolean queueFull() {
    return roll(config.queueFullRate(), "queue full");
  }

  boolean completionError() {
    return roll(config.completionErrorRate(), "completion error");
  }

  boolean endpointDeath() {
    return roll(config.endpointDeathRate(), "endpoint death");
  }

  boolean connectFailure() {
    return roll(config.connectFailureRate(), "connect failure");
  }

  /** Returns the number of polls to delay a completion; usually 0. */
  int delay() {
    boolean held = config.delayPolls() > 0 && roll(config.delayRate(), "delay");
    return held ? 1 + (int) ((random.nextLong() >>> 1) % config.delayPolls()) : 0;
  }

  /** Uses only {@code nextLong}, whose numbers are the same on every JDK. */
  private boolean roll(double rate, String fault) {
    boolean happens = rate > 0 && (random.nextLong() >>> 11) * 0x1.0p-53 < rate;
    if (happens) {
      counts.merge(fault, 1L, Long::sum);
    }
    return happens;
  }

  Map<String, Long> counts() {
    return Collections.unmodifiableMap(new TreeMap<>(counts));
  }

  @Override
  public String toString() {
    return "seed " + config.seed() + ", injected " + counts;
  }
}
