package io.railflux.engine;

import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.VirtualChannel;
import java.util.List;

/**
 * Looks for news in the memory of this process: tasks, and the rings and words of mapped rails. Without news, a look
 * takes a few nanoseconds instead of about a hundred for a cycle, so arrivals are found that much sooner. Fabrics and
 * timers are left to the cycle. Engine thread only.
 */
final class Glance {

  /** Looks at more channels would take longer than a cycle. */
  private static final int MAX_CHANNELS = 4;

  private final TaskQueue tasks;
  private final List<VirtualChannel> channels;

  Glance(TaskQueue tasks, List<VirtualChannel> channels) {
    this.tasks = tasks;
    this.channels = channels;
  }

  /** Returns whether a look covers all remaining work of a cycle, except timers and fabrics. */
  boolean isAllThatIsLeft() {
    boolean all = channels.size() <= MAX_CHANNELS;
    for (int i = 0; all && i < channels.size(); i++) {
      all = channels.get(i).awaitsPeer();
    }
    return all;
  }

  /** Returns whether a cycle may find work; always true if a rail reports news by its fabric only. */
  boolean mayHaveArrivals() {
    if (!tasks.isEmpty()) {
      return true;
    }
    for (int i = 0; i < channels.size(); i++) {
      List<Subchannel> live = channels.get(i).live();
      for (int j = 0; j < live.size(); j++) {
        if (live.get(j).mayHaveArrivals()) {
          return true;
        }
      }
    }
    return false;
  }
}
