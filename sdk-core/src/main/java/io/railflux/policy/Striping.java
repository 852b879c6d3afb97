package io.railflux.policy;

/**
 * Which rail carries the next message. Pure decisions: measurements are passed in, no clock, no I/O,
 * no allocation. One instance serves one peer and is used on the engine thread only.
 */
@FunctionalInterface
public interface Striping {

  /**
   * Chooses among the live subchannels.
   *
   * @param live how many there are, at least 1
   * @param lengthBytes encoded size of the message
   * @return 0 .. live-1
   */
  int next(int live, int lengthBytes);

  /** All messages over the first live subchannel. */
  static Striping binding() {
    return (live, lengthBytes) -> 0;
  }

  /** Messages in turn over all live subchannels. */
  static Striping roundRobin() {
    return new Striping() {
      private int turn;

      @Override
      public int next(int live, int lengthBytes) {
        turn = turn + 1 < live ? turn + 1 : 0;
        return turn;
      }
    };
  }
}
