package io.railflux.engine;

import java.util.PriorityQueue;

/** Deadlines of one engine, in the order they fall due; ties in the order they were set. */
final class Timers {

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private long sequence;

  /** A pending deadline; cancelling is lazy: the entry leaves when it falls due. */
  static final class Timer implements Comparable<Timer> {

    private final long dueNanos;
    private final long sequence;
    private Runnable task;

    private Timer(long dueNanos, long sequence, Runnable task) {
      this.dueNanos = dueNanos;
      this.sequence = sequence;
      this.task = task;
    }

    void cancel() {
      task = null;
    }

    @Override
    public int compareTo(Timer other) {
      long byTime = dueNanos - other.dueNanos;
      return Long.signum(byTime != 0 ? byTime : sequence - other.sequence);
    }
  }

  Timer at(long dueNanos, Runnable task) {
    Timer timer = new Timer(dueNanos, sequence++, task);
    queue.add(timer);
    return timer;
  }

  /** Runs what is due; returns how many tasks ran. */
  int run(long nowNanos) {
    int ran = 0;
    for (Timer first = queue.peek();
        first != null && first.dueNanos - nowNanos <= 0;
        first = queue.peek()) {
      queue.poll();
      Runnable task = first.task;
      if (task != null) {
        task.run();
        ran++;
      }
    }
    return ran;
  }

  /** Nanoseconds until the next deadline, {@link Long#MAX_VALUE} when there is none. */
  long untilNextNanos(long nowNanos) {
    while (!queue.isEmpty() && queue.peek().task == null) {
      queue.poll();
    }
    return queue.isEmpty() ? Long.MAX_VALUE : Math.max(0, queue.peek().dueNanos - nowNanos);
  }
}
