package io.railflux.policy;

/**
 * Distribution of messages over the paths to one peer. Decisions are pure: callers pass measurements in; no clock, no
 * I/O, and no allocation in {@link #next}. One instance serves one peer, on the engine thread. With a single path
 * only {@link #moved} is called.
 *
 * <p>The sender does not cut large messages in shared memory; they stay in place.
 */
@FunctionalInterface
public interface StripingPolicy {

  /**
   * Chooses the path of a message that is not cut: small messages of a frame, or a large message. If the path has no
   * room, small messages take the next path with room after {@link CreditBackoff#patience}.
   *
   * @param live the live paths
   * @param lengthBytes length of the message with its headers, in bytes; small messages that join it enlarge a frame
   *     up to 16 KiB
   * @param marker communication pattern
   * @return index of the path, modulo {@code live.count()}
   */
  int next(Paths live, int lengthBytes, Marker marker);

  /**
   * Cuts a large message, which bypasses the ring. By default the whole message takes the path that {@link #next}
   * chooses.
   *
   * @param live the live paths
   * @param lengthBytes length of the message in bytes
   * @param marker communication pattern
   * @param shares reset to the number of live paths; receives their weights
   */
  default void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    shares.whole(Math.floorMod(next(live, lengthBytes, marker), live.count()));
  }

  /**
   * Receives the measurement of a large message that this side wrote and that arrived. Paths that carried it may have
   * left since. Reads of the peer are not measured. By default does nothing.
   *
   * @param live the live paths
   * @param movement the measurement, valid during the call only
   */
  default void moved(Paths live, Movement movement) {}

  /**
   * Returns the weight of a path, for display.
   *
   * @param live the live paths
   * @param path index of the path
   * @return weight; the weights of all paths add up to 1
   */
  default double weight(Paths live, int path) {
    return 1.0 / live.count();
  }

  /**
   * Creates the default policy: {@link CommunicationAware} with a {@link Probing} message in 64.
   *
   * @return a new policy for one peer
   */
  static StripingPolicy byDefault() {
    return new Probing(new CommunicationAware(), 64);
  }

  /**
   * Creates a policy that uses the first live rail only, and returns to the first rail when it is restored.
   *
   * @return a new policy for one peer
   */
  static StripingPolicy binding() {
    return new StripingPolicy() {
      @Override
      public int next(Paths live, int lengthBytes, Marker marker) {
        int first = 0;
        for (int i = 1; i < live.count(); i++) {
          first = live.rail(i) < live.rail(first) ? i : first;
        }
        return first;
      }

      @Override
      public double weight(Paths live, int path) {
        return path == next(live, 0, Marker.STREAM) ? 1 : 0;
      }
    };
  }

  /**
   * Creates a policy that sends messages in turn over all live paths, regardless of their size.
   *
   * @return a new policy for one peer
   */
  static StripingPolicy roundRobin() {
    return new StripingPolicy() {
      private int turn;

      @Override
      public int next(Paths live, int lengthBytes, Marker marker) {
        turn = turn + 1 < live.count() ? turn + 1 : 0;
        return turn;
      }
    };
  }
}
