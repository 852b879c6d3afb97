package io.railflux.policies.channels;

/**
 * Finds the mapping of channels with the largest reduction of latency relative to pooled channels (CH4, T Figure 6).
 *
 * <p>With the peers sorted by their messages in descending order, the first {@code m} get a dedicated ring and the next
 * {@code l - m} a ring behind a shared endpoint. The paper evaluates every pair of {@code l} and {@code m}, each by
 * sums over the peers. The value separates into a term of {@code l} and a term of {@code m}, so that one pass with
 * running sums and the best {@code m} so far finds the same pair. Among equal values the fewest rings win, then the
 * fewest dedicated ones.
 */
final class BestMapping {

  private final AdaptiveParameters parameters;
  private int rings;
  private int dedicated;
  private long reductionPicos;

  BestMapping(AdaptiveParameters parameters) {
    this.parameters = parameters;
  }

  /**
   * Finds the best mapping.
   *
   * @param messages messages of each peer in descending order
   * @param peers number of peers
   * @param available endpoints that may be dedicated, in addition to the limit of the parameters
   */
  void find(long[] messages, int peers, int available) {
    AdaptiveParameters.Gains gains = parameters.gains();
    AdaptiveParameters.Setup setup = parameters.setup();
    int maxRings = Math.min(parameters.limits().maxRings(), peers);
    int maxDedicated = Math.min(parameters.limits().maxDedicated(), available);
    long pollingPicos = peers == 0 ? 0 : messages[0] * gains.failedPollPicos();
    long promotionPicos = gains.dedicatedPicos() - gains.sharedPicos();
    long promotionSetupPicos = setup.dedicatedPicos() - setup.sharedPicos();
    long shared = 0;
    long promoted = 0;
    long bestPromoted = 0;
    int bestDedicated = 0;
    choose(0, 0, 0);
    for (int l = 1; l <= maxRings; l++) {
      long count = messages[l - 1];
      shared += count * gains.sharedNetPicos() - setup.sharedPicos();
      if (l <= maxDedicated) {
        promoted += count * promotionPicos - promotionSetupPicos;
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

  private void choose(int l, int m, long value) {
    rings = l;
    dedicated = m;
    reductionPicos = value;
  }

  /** Returns the number of peers with a ring. */
  int rings() {
    return rings;
  }

  /** Returns the number of peers with a dedicated ring; at most {@link #rings}. */
  int dedicated() {
    return dedicated;
  }

  /** Returns the reduction of latency by the mapping, set-up included, in picoseconds. */
  long reductionPicos() {
    return reductionPicos;
  }
}
