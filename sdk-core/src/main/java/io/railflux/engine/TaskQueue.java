package io.railflux.engine;

import io.railflux.engine.base.Occupancy;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.concurrent.Queues;

/**
 * Tasks for the engine thread, in the order of submission. One run takes only the tasks that wait at its start, up to a
 * bound. A task that submits its successor, or a thread that submits without end, cannot delay channels, fabrics and
 * timers indefinitely (D17). {@link #add} and {@link #isEmpty} may be called from any thread, {@link #run} from the
 * engine thread only.
 */
final class TaskQueue {

  /** Maximum number of tasks in one run. */
  static final int MAX_IN_A_RUN = 1_024;

  private static final Logger LOG = LoggerFactory.getLogger(TaskQueue.class);

  private final Occupancy occupancy;
  private final Queue<Runnable> queue =
      Queues.<Runnable>unboundedMultiproducer().get();

  // The tasks of the current run. The positions are fields so that a run that throws loses none of
  // them.
  private final Runnable[] taken = new Runnable[MAX_IN_A_RUN];
  private int next;
  private int end;

  /** @param occupancy records that a task runs, until the task names its stream or route */
  TaskQueue(Occupancy occupancy) {
    this.occupancy = occupancy;
  }

  void add(Runnable task) {
    queue.offer(task);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Runs the tasks that wait now. Returns their number. */
  int run() {
    if (next == end) {
      take();
    }
    int ran = end - next;
    while (next < end) {
      Runnable task = taken[next];
      taken[next++] = null;
      occupancy.enter(Occupancy.TASK);
      try {
        task.run();
      } catch (Throwable e) {
        LOG.error("task failed", e);
      }
    }
    occupancy.leave();
    return ran;
  }

  private void take() {
    next = 0;
    end = 0;
    for (Runnable task = queue.poll(); task != null; task = nextAfterTaken()) {
      taken[end++] = task;
    }
  }

  private Runnable nextAfterTaken() {
    return end < MAX_IN_A_RUN ? queue.poll() : null;
  }
}
