package io.railflux.policy;

import java.util.Arrays;

/**
 * How one message is cut over paths: each gets a piece of it in proportion to its weight. Reused; allocates
 * when there are more paths than ever before only.
 */
public final class Shares {

  private double[] weights = new double[2];
  private int count;

  /** No paths yet: {@link #reset} says how many. */
  public Shares() {}

  /** Begins anew: that many paths, none of which carries anything. */
  public void reset(int paths) {
    if (weights.length < paths) {
      weights = new double[paths];
    }
    count = paths;
    Arrays.fill(weights, 0, count, 0);
  }

  /**
   * Gives a path its share.
   *
   * @param weight of that path beside the others', at least 0 and finite
   * @throws IllegalArgumentException when it is not
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

  /** All of it over one path. */
  public void whole(int path) {
    Arrays.fill(weights, 0, count, 0);
    weights[requirePath(path)] = 1;
  }

  /** How many paths there are to share. */
  public int count() {
    return count;
  }

  /** What {@link #set} set. */
  public double weight(int path) {
    return weights[requirePath(path)];
  }

  /**
   * The bytes of each path, which together are all of the message. No piece is smaller than {@code
   * leastBytes} unless the message is; what would be goes to others.
   *
   * @param pieces filled with one number a path
   * @throws IllegalStateException when no path has any weight
   */
  public void cut(int lengthBytes, int leastBytes, int[] pieces) {
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
      pieces[i] = bytes < leastBytes ? 0 : bytes;
      left -= pieces[i];
    }
    pieces[heaviest] += left;
  }
}
