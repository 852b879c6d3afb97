package io.railflux.samples.cli.demo;

import java.util.HashSet;
import java.util.Set;

/** Detects lost, duplicated and reordered events by their numbers. */
final class Sequence {

  private final Set<Long> missing = new HashSet<>();
  private long next;
  private long duplicated;
  private long reordered;

  synchronized void add(long number) {
    if (number == next) {
      next++;
    } else if (number > next) {
      for (long skipped = next; skipped < number; skipped++) {
        missing.add(skipped);
      }
      next = number + 1;
    } else if (missing.remove(number)) {
      reordered++;
    } else {
      duplicated++;
    }
  }

  synchronized long lost(long sent) {
    return missing.size() + Math.max(0, sent - next);
  }

  synchronized long duplicated() {
    return duplicated;
  }

  synchronized long reordered() {
    return reordered;
  }
}
