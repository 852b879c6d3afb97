package io.railflux.policy;

/**
 * Which rail carries the next frame: a message, or small ones of a stream that travel together. Pure
 * decisions: measurements are passed in, no clock, no I/O, no allocation. One instance serves one peer
 * and is used on the engine thread only.
 */
@FunctionalInterface
public interface Striping {

  /**
   * Chooses among the live subchannels, which keep their order while others come and go. Where the
   * chosen one has no room now, the frame goes over the next one that has. Not asked where there is
   * no choice.
   *
   * @param live how many there are, at least 1
   * @param lengthBytes room the first message may need in a ring, headers included; with others that
   *     join it the frame grows to 16 KiB at most
   * @return 0 .. live-1; other numbers count modulo {@code live}
   */
  int next(int live, int lengthBytes);

  /** Everything over the first live subchannel. */
  static Striping binding() {
    return (live, lengthBytes) -> 0;
  }

  /** Frames in turn over all live subchannels. */
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
