package io.railflux.policies.striping;

import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;

/** Moves messages over paths of given bandwidths, and reports the moves to the policy. */
final class FakeNetwork {

  private final Paths live;
  private final double[] bytesPerMicro;
  private final Shares shares = new Shares();
  final int[] pieces;

  FakeNetwork(Paths live, double... bytesPerMicro) {
    this.live = live;
    this.bytesPerMicro = bytesPerMicro;
    this.pieces = new int[live.count()];
  }

  /** Moves a message and returns the duration. */
  long move(StripingPolicy policy, int lengthBytes, Marker marker) {
    return move(policy, lengthBytes, marker, 0);
  }

  /** Moves a message, observed at the given interval. */
  long move(StripingPolicy policy, int lengthBytes, Marker marker, long gapNanos) {
    return move(policy, lengthBytes, marker, (path, nanos) -> gapNanos);
  }

  /** Returns the interval between two observations, by path and duration of its piece. */
  interface Gap {

    long nanos(int path, long tookNanos);
  }

  /** Moves a message, observed at intervals by path. */
  long move(StripingPolicy policy, int lengthBytes, Marker marker, Gap gap) {
    cut(policy, lengthBytes, marker);
    Moved moved = new Moved(gap);
    policy.moved(live, moved);
    return moved.longestNanos();
  }

  /** Cuts a message that has yet to arrive. */
  void cut(StripingPolicy policy, int lengthBytes, Marker marker) {
    shares.reset(live.count());
    policy.cut(live, lengthBytes, marker, shares);
    shares.cut(lengthBytes, 1, pieces);
  }

  /** Returns the share that the policy would assign to a path of the next message. */
  double share(StripingPolicy policy, int path) {
    shares.reset(live.count());
    policy.cut(live, 1 << 20, Marker.REQUEST, shares);
    double total = 0;
    for (int i = 0; i < shares.count(); i++) {
      total += shares.weight(i);
    }
    return shares.weight(path) / total;
  }

  /** The pieces with bytes. */
  private final class Moved implements Movement {

    private final int[] paths = new int[pieces.length];
    private final Gap gap;
    private int count;

    Moved(Gap gap) {
      this.gap = gap;
      for (int i = 0; i < pieces.length; i++) {
        if (pieces[i] > 0) {
          paths[count++] = i;
        }
      }
    }

    long longestNanos() {
      long longest = 0;
      for (int i = 0; i < count; i++) {
        longest = Math.max(longest, nanos(i));
      }
      return longest;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int pathId(int piece) {
      return live.id(paths[piece]);
    }

    @Override
    public long bytes(int piece) {
      return pieces[paths[piece]];
    }

    @Override
    public long nanos(int piece) {
      return Math.max(1, (long) (bytes(piece) * 1_000 / bytesPerMicro[paths[piece]]));
    }

    @Override
    public long observationGapNanos(int piece) {
      return gap.nanos(paths[piece], nanos(piece));
    }
  }
}
