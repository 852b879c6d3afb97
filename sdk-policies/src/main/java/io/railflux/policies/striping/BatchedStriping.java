package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import io.railflux.policy.Weights;

/**
 * MR7, batch-based striping and sorting (V 8.2): pieces over the best paths in proportion to weights that follow the
 * times of the pieces. Over all paths it is MR6, adaptive striping (V 7.1.2). The paper sorts in "non-decreasing"
 * order and takes the first; it means the heaviest.
 */
final class BatchedStriping implements StripingPolicy {

  private final int paths;
  private final int batch;
  private final double alpha;
  private final Weights weights = new Weights();
  private int turn;

  BatchedStriping(int paths, int batch, double alpha) {
    this.paths = paths;
    this.batch = batch;
    this.alpha = alpha;
  }

  /** Small messages take turns regardless of the weights, because their times carry no information (V 8.3.3). */
  @Override
  public int next(Paths live, int lengthBytes, Marker marker) {
    turn = turn + 1 < considered(live) ? turn + 1 : 0;
    return turn;
  }

  private int considered(Paths live) {
    return Math.min(paths, live.count());
  }

  @Override
  public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    weights.align(live);
    int wanted = Math.min(batch, considered(live));
    for (int chosen = 0; chosen < wanted; chosen++) {
      int best = heaviest(live, shares);
      // A path without weight in the batch has no piece, but must not be chosen again.
      shares.set(best, Math.max(weights.of(best), Double.MIN_NORMAL));
    }
  }

  private int heaviest(Paths live, Shares shares) {
    int best = -1;
    for (int i = 0; i < considered(live); i++) {
      if (shares.weight(i) == 0 && (best < 0 || weights.of(i) > weights.of(best))) {
        best = i;
      }
    }
    return best;
  }

  @Override
  public void moved(Paths live, Movement movement) {
    weights.align(live);
    weights.measure(movement);
    weights.redistribute(alpha);
  }

  @Override
  public double weight(Paths live, int path) {
    weights.align(live);
    return weights.of(path);
  }
}
