package io.railflux.policy;

import java.util.Arrays;

/**
 * Weights of paths, which together are always 1. They follow what paths move, by formula (7.4) of the paper:
 *
 * <pre>
 *   W'_i = (1 - alpha) * W_i + alpha * W_total * (W_i / t_i) / sum(W_k / t_k)
 * </pre>
 *
 * <p>{@code W_i / t_i} is proportional to the bandwidth of a path, as its piece of a message is to its weight
 * (7.2). So bandwidths are what is measured here: they can be told of messages that went whole, too. Weight
 * moves among those paths only of which a bandwidth is told (8.3). A path that is new gets its equal share,
 * that of one that went goes to the others, in their proportion. Not thread-safe.
 */
public final class Weights {

  private int[] ids = new int[2];
  private double[] weights = new double[2];
  private double[] bandwidths = new double[2];
  private boolean[] known = new boolean[2];
  private int count;

  /** No paths yet: {@link #align} tells them. */
  public Weights() {}

  /** Makes these the paths there are, in their order; returns whether there were others before. */
  public boolean align(Paths live) {
    int paths = live.count();
    if (isAligned(live, paths)) {
      return false;
    }
    int[] newIds = new int[paths];
    double[] newWeights = new double[paths];
    boolean[] newKnown = new boolean[paths];
    double kept = 0;
    int fresh = 0;
    for (int i = 0; i < paths; i++) {
      newIds[i] = live.id(i);
      int before = indexOf(newIds[i]);
      newWeights[i] = before < 0 ? -1 : weights[before];
      newKnown[i] = before >= 0 && known[before];
      kept += before < 0 ? 0 : weights[before];
      fresh += before < 0 ? 1 : 0;
    }
    double scale = kept > 0 ? (1.0 - (double) fresh / paths) / kept : 0;
    boolean equal = !(kept > 0);
    for (int i = 0; i < paths; i++) {
      boolean isNew = newWeights[i] < 0;
      newWeights[i] = isNew || equal ? 1.0 / paths : newWeights[i] * scale;
    }
    ids = newIds;
    weights = newWeights;
    bandwidths = new double[paths];
    known = newKnown;
    count = paths;
    return true;
  }

  private boolean isAligned(Paths live, int paths) {
    if (paths != count) {
      return false;
    }
    for (int i = 0; i < paths; i++) {
      if (live.id(i) != ids[i]) {
        return false;
      }
    }
    return true;
  }

  /** The place of that path; -1 when there is none, any more. */
  public int indexOf(int id) {
    for (int i = 0; i < count; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  /** How many paths there are. */
  public int count() {
    return count;
  }

  /** Of that path; all together are 1. */
  public double of(int path) {
    return weights[path];
  }

  /** Whether its weight follows from a measurement, not from how many paths there are. */
  public boolean isKnown(int path) {
    return known[path];
  }

  /** Of how many paths that is so. */
  public int known() {
    int paths = 0;
    for (int i = 0; i < count; i++) {
      paths += known[i] ? 1 : 0;
    }
    return paths;
  }

  /** Takes the weight it has for what follows from a measurement. */
  public void know(int path) {
    known[path] = true;
  }

  /** Remembers the bandwidths that the pieces of a message tell; those seen late tell none. */
  public void measure(Movement movement) {
    for (int i = 0; i < movement.count(); i++) {
      int path = indexOf(movement.pathId(i));
      if (path >= 0 && !movement.isLate(i)) {
        bandwidths[path] = (double) movement.bytes(i) / movement.nanos(i);
      }
    }
  }

  /** Of how many paths a bandwidth was measured since the last {@link #redistribute}. */
  public int measured() {
    int paths = 0;
    for (int i = 0; i < count; i++) {
      paths += bandwidths[i] > 0 ? 1 : 0;
    }
    return paths;
  }

  /**
   * Moves weight by what was measured, which is forgotten then.
   *
   * @param alpha how much the measurement counts beside what was before, 0 to 1
   */
  public void redistribute(double alpha) {
    double total = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      if (bandwidths[i] > 0) {
        total += weights[i];
        sum += bandwidths[i];
      }
    }
    for (int i = 0; i < count; i++) {
      if (bandwidths[i] > 0) {
        known[i] = true;
        weights[i] = (1 - alpha) * weights[i] + alpha * total * (bandwidths[i] / sum);
        bandwidths[i] = 0;
      }
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOf(weights, count));
  }
}
