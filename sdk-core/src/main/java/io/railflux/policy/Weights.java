package io.railflux.policy;

import java.util.Arrays;

/**
 * Weights of paths, which add up to 1. They follow the measured bandwidths by formula (7.4) of the paper:
 *
 * <pre>
 *   W'_i = (1 - alpha) * W_i + alpha * W_total * (W_i / t_i) / sum(W_k / t_k)
 * </pre>
 *
 * <p>{@code W_i / t_i} is proportional to the bandwidth of a path, as a piece is proportional to its weight (7.2).
 * This class therefore measures bandwidths, which whole messages reveal too. Weight moves only among paths with a
 * measured bandwidth (8.3). A new path gets an equal share. The weight of a removed path goes to the others in
 * proportion. Not thread-safe.
 */
public final class Weights {

  private int[] ids = new int[2];
  private double[] weights = new double[2];
  private double[] bandwidths = new double[2];
  private boolean[] known = new boolean[2];
  private int count;

  /** Creates weights without paths; see {@link #align}. */
  public Weights() {}

  /**
   * Adopts the live paths in their order.
   *
   * @param live the live paths
   * @return whether the paths differ from the former ones
   */
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

  /**
   * Returns the index of a path.
   *
   * @param id identity of the path, as {@link Paths#id}
   * @return the index; -1 if the path is not live
   */
  public int indexOf(int id) {
    for (int i = 0; i < count; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the number of paths.
   *
   * @return number of paths
   */
  public int count() {
    return count;
  }

  /**
   * Returns the weight of a path.
   *
   * @param path index of the path
   * @return weight from 0 to 1
   */
  public double of(int path) {
    return weights[path];
  }

  /**
   * Returns whether the weight of a path follows from a measurement.
   *
   * @param path index of the path
   * @return false for the equal share of a new path
   */
  public boolean isKnown(int path) {
    return known[path];
  }

  /**
   * Returns the number of paths whose weight follows from a measurement.
   *
   * @return number of paths
   */
  public int known() {
    int paths = 0;
    for (int i = 0; i < count; i++) {
      paths += known[i] ? 1 : 0;
    }
    return paths;
  }

  /**
   * Accepts the present weight of a path as if it followed from a measurement.
   *
   * @param path index of the path
   */
  public void know(int path) {
    known[path] = true;
  }

  /**
   * Records the bandwidths of a movement. Late measurements are discarded.
   *
   * @param movement measurement of one message
   */
  public void measure(Movement movement) {
    for (int i = 0; i < movement.count(); i++) {
      int path = indexOf(movement.pathId(i));
      if (path >= 0 && !movement.isLate(i)) {
        bandwidths[path] = (double) movement.bytes(i) / movement.nanos(i);
      }
    }
  }

  /**
   * Returns the number of paths with a bandwidth recorded since the last {@link #redistribute}.
   *
   * @return number of paths
   */
  public int measured() {
    int paths = 0;
    for (int i = 0; i < count; i++) {
      paths += bandwidths[i] > 0 ? 1 : 0;
    }
    return paths;
  }

  /**
   * Adjusts the weights to the recorded bandwidths and discards these.
   *
   * @param alpha share of the measurement in the new weight, 0 to 1
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
