package io.railflux.engine;

import java.util.PriorityQueue;

/** Deadlines of one engine, in the order they fall due; ties in the order they were set. */
final class Timers {

  /** So few cancelled ones are not worth a look at all. */
  private static final int KEPT_CANCELLED = 64;

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private long sequence;
  // Of those in the queue.
  private int cancelled;

  /** A pending deadline; cancelling is lazy: the entry leaves when it falls due, or with many others. */
  final class Timer implements Comparable<Timer> {

    private final long dueNanos;
    private final long sequence;
    private Runnable task;

    private Timer(long dueNanos, long sequence, Runnable task) {
      this.dueNanos = dueNanos;
      this.sequence = sequence;
      this.task = task;
    }

    void cancel() {
      if (task != null) {
        task = null;
        cancelled++;
        sweep();
      }
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

  /** Whoever sets and cancels all the time must not fill up memory with what is due much later. */
  private void sweep() {
    if (cancelled > KEPT_CANCELLED && cancelled > queue.size() / 2) {
      queue.removeIf(timer -> timer.task == null);
      cancelled = 0;
    }
  }

  /** How many are in the queue, with those that were cancelled and have not left. */
  int size() {
    return queue.size();
  }

  /** Takes the first one; returns what it was set for, null where that was cancelled. */
  private Runnable poll() {
    Timer first = queue.poll();
    Runnable task = first.task;
    if (task == null) {
      cancelled--;
    }
    // To cancel it from now on changes nothing.
    first.task = null;
    return task;
  }

  /** Runs what is due; returns how many tasks ran. */
  int run(long nowNanos) {
    int ran = 0;
    for (Timer first = queue.peek();
        first != null && first.dueNanos - nowNanos <= 0;
        first = queue.peek()) {
      Runnable task = poll();
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
      poll();
    }
    return queue.isEmpty() ? Long.MAX_VALUE : Math.max(0, queue.peek().dueNanos - nowNanos);
  }
}
