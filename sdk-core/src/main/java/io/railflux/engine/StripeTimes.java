package io.railflux.engine;

import io.railflux.policy.Movement;
import java.util.Arrays;

/** What each subchannel wrote of one large message, and for how long. Engine thread only. */
final class StripeTimes implements Movement {

  private int[] ids = new int[2];
  private long[] bytes = new long[2];
  private long[] nanos = new long[2];
  private long[] gapNanos = new long[2];
  private int count;

  /** @param observationGapNanos so much earlier than it was seen it may have completed */
  void add(int id, int moreBytes, long tookNanos, long observationGapNanos) {
    int place = placeOf(id);
    bytes[place] += moreBytes;
    nanos[place] += tookNanos;
    gapNanos[place] = observationGapNanos;
  }

  private int placeOf(int id) {
    for (int i = 0; i < count; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
      bytes = Arrays.copyOf(bytes, 2 * count);
      nanos = Arrays.copyOf(nanos, 2 * count);
      gapNanos = Arrays.copyOf(gapNanos, 2 * count);
    }
    ids[count] = id;
    return count++;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int pathId(int piece) {
    return ids[piece];
  }

  @Override
  public long bytes(int piece) {
    return bytes[piece];
  }

  @Override
  public long nanos(int piece) {
    return Math.max(1, nanos[piece]);
  }

  /** What was seen in one cycle with what came before it took no time that anybody saw. */
  @Override
  public long observationGapNanos(int piece) {
    return nanos[piece] == 0 ? 1 : gapNanos[piece];
  }
}
