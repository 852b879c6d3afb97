package io.railflux.policies.striping;

import java.util.Arrays;

/** Turns by weight: the path with the largest deficit is next. Over time each path gets its share. Not thread-safe. */
final class WeightedTurns {

  private double[] due = new double[2];
  private int count;

  /** Creates turns without paths; see {@link #reset}. */
  WeightedTurns() {}

  /** Sets the number of paths and clears all deficits. */
  void reset(int paths) {
    if (due.length < paths) {
      due = new double[paths];
    }
    count = paths;
    Arrays.fill(due, 0, count, 0);
  }

  /** Returns the number of paths. */
  int count() {
    return count;
  }

  /** Increases the deficit of a path. */
  void add(int path, double amount) {
    due[path] += amount;
  }

  /** Chooses the path with the largest deficit and reduces it by {@code amount}. */
  int take(double amount) {
    int next = 0;
    for (int i = 1; i < count; i++) {
      next = due[i] > due[next] ? i : next;
    }
    due[next] -= amount;
    return next;
  }
}
