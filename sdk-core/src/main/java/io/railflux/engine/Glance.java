package io.railflux.engine;

import java.util.List;
import java.util.Queue;

/**
 * A look at what is in this process' memory: tasks, and the rings and words of mapped rails. Where nothing
 * moves it takes a few nanoseconds instead of a cycle's hundred, so an arrival is found that much sooner.
 * Fabrics and timers are left to the cycle. Engine thread only.
 */
final class Glance {

  /** So many looks at more of them would take longer than a cycle. */
  private static final int MOST_CHANNELS = 4;

  private final Queue<Runnable> tasks;
  private final List<VirtualChannel> channels;

  Glance(Queue<Runnable> tasks, List<VirtualChannel> channels) {
    this.tasks = tasks;
    this.channels = channels;
  }

  /** Whether a cycle, which takes longer, would find nothing else to do; timers and fabrics aside. */
  boolean isAllThatIsLeft() {
    boolean all = channels.size() <= MOST_CHANNELS;
    for (int i = 0; all && i < channels.size(); i++) {
      all = channels.get(i).awaitsPeer();
    }
    return all;
  }

  /** Whether a cycle may find something; always where a rail tells it by its fabric only. */
  boolean hasNews() {
    if (!tasks.isEmpty()) {
      return true;
    }
    for (int i = 0; i < channels.size(); i++) {
      List<Subchannel> live = channels.get(i).live();
      for (int j = 0; j < live.size(); j++) {
        if (live.get(j).hasNews()) {
          return true;
        }
      }
    }
    return false;
  }
}
