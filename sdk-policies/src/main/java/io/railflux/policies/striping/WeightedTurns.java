package io.railflux.policies.striping;

import java.util.Arrays;

/**
 * Turns by weight: over time each path has its share, and no path waits longer than it must. Who has
 * carried least of what was due to it is next. Not thread-safe.
 */
final class WeightedTurns {

  private double[] due = new double[2];
  private int count;

  /** No paths yet: {@link #reset} says how many. */
  WeightedTurns() {}

  /** That many paths; what was due before is forgotten when there were others. */
  void reset(int paths) {
    if (due.length < paths) {
      due = new double[paths];
    }
    count = paths;
    Arrays.fill(due, 0, count, 0);
  }

  /** How many paths there are. */
  int count() {
    return count;
  }

  /** More of what follows is due to that path. */
  void add(int path, double amount) {
    due[path] += amount;
  }

  /** The path to which most is due, which then carries {@code amount}. */
  int take(double amount) {
    int next = 0;
    for (int i = 1; i < count; i++) {
      next = due[i] > due[next] ? i : next;
    }
    due[next] -= amount;
    return next;
  }
}
