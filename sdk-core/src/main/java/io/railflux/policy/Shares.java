package io.railflux.policy;

import java.util.Arrays;

/**
 * Division of one message over paths, in proportion to weights. Reused; allocates only for a larger number of paths.
 * Not thread-safe.
 */
public final class Shares {

  private double[] weights = new double[2];
  private int count;

  /** Creates shares without paths; see {@link #reset}. */
  public Shares() {}

  /**
   * Sets the number of paths and clears their weights.
   *
   * @param paths number of paths
   */
  public void reset(int paths) {
    if (weights.length < paths) {
      weights = new double[paths];
    }
    count = paths;
    Arrays.fill(weights, 0, count, 0);
  }

  /**
   * Sets the weight of a path.
   *
   * @param path index of the path
   * @param weight weight relative to the other paths, finite and at least 0
   * @throws IllegalArgumentException if the weight is invalid or the path does not exist
   */
  public void set(int path, double weight) {
    if (!(weight >= 0 && weight <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("path " + path + " cannot have the weight " + weight);
    }
    weights[requirePath(path)] = weight;
  }

  private int requirePath(int path) {
    if (path < 0 || path >= count) {
      throw new IllegalArgumentException("there is no path " + path + " among " + count);
    }
    return path;
  }

  /**
   * Assigns the whole message to one path.
   *
   * @param path index of the path
   * @throws IllegalArgumentException if the path does not exist
   */
  public void whole(int path) {
    Arrays.fill(weights, 0, count, 0);
    weights[requirePath(path)] = 1;
  }

  /**
   * Returns the number of paths.
   *
   * @return number set by {@link #reset}
   */
  public int count() {
    return count;
  }

  /**
   * Returns the weight of a path.
   *
   * @param path index of the path
   * @return weight set by {@link #set} or {@link #whole}, otherwise 0
   * @throws IllegalArgumentException if the path does not exist
   */
  public double weight(int path) {
    return weights[requirePath(path)];
  }

  /**
   * Divides a message. No piece is smaller than {@code minBytes} unless the message is; the heaviest path takes
   * smaller pieces.
   *
   * @param lengthBytes length of the message in bytes
   * @param minBytes smallest piece in bytes
   * @param pieces receives the bytes of each path, which add up to {@code lengthBytes}
   * @throws IllegalStateException if no path has weight
   */
  public void cut(int lengthBytes, int minBytes, int[] pieces) {
    double total = 0;
    int heaviest = 0;
    for (int i = 0; i < count; i++) {
      total += weights[i];
      heaviest = weights[i] > weights[heaviest] ? i : heaviest;
    }
    if (total <= 0) {
      throw new IllegalStateException("none of " + count + " paths has any weight");
    }
    int left = lengthBytes;
    for (int i = 0; i < count; i++) {
      int bytes = (int) Math.floor(lengthBytes * (weights[i] / total));
      pieces[i] = bytes < minBytes ? 0 : bytes;
      left -= pieces[i];
    }
    pieces[heaviest] += left;
  }
}
