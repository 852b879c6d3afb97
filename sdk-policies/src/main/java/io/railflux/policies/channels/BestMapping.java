package io.railflux.policies.channels;

/**
 * Finds the mapping of channels with the largest reduction of latency relative to pooled channels (CH4, T Figure 6).
 * Reusable; not thread-safe.
 *
 * <p>With the peers sorted by their messages in descending order, the first {@code m} get a dedicated ring and the next
 * {@code l - m} a ring behind a shared endpoint. The paper evaluates every pair of {@code l} and {@code m}, each by
 * sums over the peers. The value separates into a term of {@code l} and a term of {@code m}, so that one pass with
 * running sums and the best {@code m} so far finds the same pair. Among equal values the fewest rings win, then the
 * fewest dedicated ones.
 */
public final class BestMapping {

  private final AdaptiveParameters.Gains gains;
  private final AdaptiveParameters.Setup setup;
  private final AdaptiveParameters.ChoiceLimits limits;
  private int rings;
  private int dedicated;
  private long reductionPicos;

  /**
   * Creates a search without a result.
   *
   * @param parameters the cost model
   */
  public BestMapping(AdaptiveParameters parameters) {
    this.gains = parameters.gains();
    this.setup = parameters.setup();
    this.limits = parameters.limits();
  }

  /**
   * Finds the best mapping among peers without an endpoint of their own.
   *
   * @param messages messages of each peer in descending order
   * @param peers number of peers, at most the length of {@code messages}
   */
  public void find(long[] messages, int peers) {
    find(messages, new boolean[peers], peers, limits.maxDedicated(), limits.maxEndpoints());
  }

  /**
   * Finds the best mapping. A dedicated ring costs no set-up where the endpoint exists (T 3.4).
   *
   * @param messages messages of each peer in descending order
   * @param hasEndpoint whether each of these peers has an endpoint, in use or parked
   * @param peers number of peers
   * @param maxDedicated maximum number of dedicated rings, in addition to the limit of the parameters
   * @param maxNew maximum number of new endpoints
   */
  void find(long[] messages, boolean[] hasEndpoint, int peers, int maxDedicated, int maxNew) {
    long pollingPicos = peers == 0 ? 0 : messages[0] * gains.failedPollPicos();
    int promotable = promotable(hasEndpoint, Math.min(maxDedicated, peers), maxNew);
    long shared = 0;
    long promoted = 0;
    long bestPromoted = 0;
    int bestDedicated = 0;
    choose(0, 0, 0);
    for (int l = 1; l <= Math.min(limits.maxRings(), peers); l++) {
      long count = messages[l - 1];
      shared += count * gains.sharedNetPicos() - setup.sharedPicos();
      if (l <= promotable) {
        promoted += promotionPicos(count, hasEndpoint[l - 1]);
        if (promoted > bestPromoted) {
          bestPromoted = promoted;
          bestDedicated = l;
        }
      }
      long value = shared + bestPromoted - pollingPicos * l / 2;
      if (value > reductionPicos) {
        choose(l, bestDedicated, value);
      }
    }
  }

  /** Returns the effective h: it shrinks with the endpoints that exist (T 3.2). */
  private int promotable(boolean[] hasEndpoint, int maxDedicated, int maxNew) {
    int left = maxNew;
    int bound = Math.min(limits.maxDedicated(), maxDedicated);
    for (int m = 0; m < bound; m++) {
      if (!hasEndpoint[m] && --left < 0) {
        return m;
      }
    }
    return Math.max(0, bound);
  }

  /** Returns the reduction of latency by a dedicated ring in place of a shared one. */
  private long promotionPicos(long count, boolean hasEndpoint) {
    long setupPicos = hasEndpoint ? 0 : setup.dedicatedPicos();
    return count * (gains.dedicatedPicos() - gains.sharedPicos())
        + setup.sharedPicos()
        - setupPicos;
  }

  private void choose(int l, int m, long value) {
    rings = l;
    dedicated = m;
    reductionPicos = value;
  }

  /**
   * Returns the size of the mapping.
   *
   * @return number of peers with a ring
   */
  public int rings() {
    return rings;
  }

  /**
   * Returns the dedicated part of the mapping.
   *
   * @return number of peers with a dedicated ring, at most {@link #rings}
   */
  public int dedicated() {
    return dedicated;
  }

  /**
   * Returns the value of the mapping.
   *
   * @return reduction of latency of all messages together, set-up included, in picoseconds
   */
  public long reductionPicos() {
    return reductionPicos;
  }
}
