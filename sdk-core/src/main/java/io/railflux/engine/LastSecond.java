package io.railflux.engine;

import java.util.List;

/**
 * Which part of what went to one peer within the last second each of its paths carried, for people. Looks four times a
 * second, as long as there are several paths. Engine thread only.
 */
final class LastSecond {

  static final long LOOK_NANOS = 250_000_000;

  /** In a second. */
  static final int LOOKS = 4;

  private final VirtualChannel channel;
  private Timers.Timer timer;
  private int looks;

  LastSecond(VirtualChannel channel) {
    this.channel = channel;
  }

  /** A path joined. Idempotent; looks until {@link #stop}, or until no more than one path is known. */
  void start() {
    List<Path> paths = channel.paths().known();
    if (timer == null && paths.size() > 1) {
      paths.forEach(Path::beginLooking);
      look();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }

  private void look() {
    timer = null;
    List<Path> paths = channel.paths().known();
    if (paths.size() < 2) {
      return;
    }
    int place = looks++ % LOOKS;
    long moved = 0;
    for (int i = 0; i < paths.size(); i++) {
      moved += paths.get(i).look(place);
    }
    for (int i = 0; i < paths.size(); i++) {
      paths.get(i).shareOf(moved);
    }
    timer = channel.engine().timers().at(channel.nowNanos() + LOOK_NANOS, this::look);
  }
}
