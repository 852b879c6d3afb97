package io.railflux.engine;

import java.util.Arrays;
import java.util.List;

/**
 * Which part of what went to one peer within about the last second each of its paths carried, for people. Looks
 * whenever the engine looks after signs of life, which is several times a second where there are several paths,
 * and so wakes nobody up. Engine thread only.
 */
final class LastSecond {

  /** Enough for more than a second. */
  static final int LOOKS = 16;

  private static final long LEAST_PAUSE_NANOS = 80_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final PathRepository paths;
  private final long[] times = new long[LOOKS];
  private long looks;

  LastSecond(PathRepository paths) {
    this.paths = paths;
  }

  void look(long nowNanos) {
    List<Path> known = paths.known();
    if (known.size() < 2) {
      looks = 0;
    } else if (looks == 0) {
      Arrays.fill(times, nowNanos);
      known.forEach(Path::beginLooking);
      looks = 1;
    } else if (nowNanos - times[place(looks - 1)] >= LEAST_PAUSE_NANOS) {
      share(known, aSecondBefore(nowNanos));
      times[place(looks)] = nowNanos;
      for (int i = 0; i < known.size(); i++) {
        known.get(i).look(place(looks));
      }
      looks++;
    }
  }

  private static int place(long look) {
    return Math.floorMod(look, LOOKS);
  }

  /** The place of the last look that is a second ago, or of the first one there was. */
  private int aSecondBefore(long nowNanos) {
    long oldest = Math.max(0, looks - LOOKS);
    long look = looks - 1;
    while (look > oldest && nowNanos - times[place(look)] < SECOND_NANOS) {
      look--;
    }
    return place(look);
  }

  private static void share(List<Path> known, int since) {
    long moved = 0;
    for (int i = 0; i < known.size(); i++) {
      moved += known.get(i).movedSince(since);
    }
    for (int i = 0; i < known.size(); i++) {
      known.get(i).shareOf(moved, since);
    }
  }
}
