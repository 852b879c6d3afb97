package io.railflux.policy;

/**
 * Over which paths messages go. Pure decisions: measurements are passed in, no clock, no I/O, no allocation
 * in {@link #next}. One instance serves one peer and is used on the engine thread only. Not asked where there
 * is one path only, but told what that moved.
 *
 * <p>Large messages in shared memory are not cut by their sender: they stay where they are.
 */
@FunctionalInterface
public interface StripingPolicy {

  /**
   * Chooses the path of what is not cut: a small message, or several of a stream that travel together; or a
   * large one. Where the chosen one has no room now, small messages go over the next one that has.
   *
   * @param lengthBytes of the message, with its headers; small ones that join it let a frame grow to 16 KiB
   * @return 0 .. count-1; other numbers count modulo {@code count}
   */
  int next(Paths live, int lengthBytes, Marker marker);

  /**
   * Cuts a large message: one that does not go through the ring. By default it goes whole, over the {@link
   * #next} path.
   *
   * @param shares reset to the number of live paths, to be filled
   */
  default void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
    shares.whole(Math.floorMod(next(live, lengthBytes, marker), live.count()));
  }

  /**
   * A large message that this side wrote is there; paths that carried it may have gone since. What a peer reads is
   * not measured.
   */
  default void moved(Paths live, Movement movement) {}

  /** What weight a path has beside the others, for people; together they are 1. */
  default double weight(Paths live, int path) {
    return 1.0 / live.count();
  }

  /** {@link CommunicationAware}, {@link Probing} once in 64 messages. */
  static StripingPolicy byDefault() {
    return new Probing(new CommunicationAware(), 64);
  }

  /** Everything over the first rail, or the first that is left of them; over the first again when it is back. */
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

  /** Messages in turn over all live paths, whatever their size. */
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
