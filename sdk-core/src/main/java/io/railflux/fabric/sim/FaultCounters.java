package io.railflux.fabric.sim;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Number of injected faults by kind. */
final class FaultCounters {

  private final TreeMap<String, Long> counts = new TreeMap<>();

  void count(String kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  Map<String, Long> snapshot() {
    return Collections.unmodifiableMap(new TreeMap<>(counts));
  }
}
