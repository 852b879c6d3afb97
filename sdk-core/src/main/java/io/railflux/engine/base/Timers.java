package io.railflux.engine.base;

import java.util.PriorityQueue;

/** Deadlines of one engine in due order; equal deadlines keep the order in which they were set. */
public final class Timers {

  /** Number of cancelled timers that never triggers a sweep. */
  private static final int KEPT_CANCELLED = 64;

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private long sequence;
  // Cancelled timers in the queue.
  private int cancelled;

  /** A pending deadline. Cancelling is lazy: the entry leaves the queue when it is due, or in a sweep. */
  public final class Timer implements Comparable<Timer> {

    private final long dueNanos;
    private final long sequence;
    private Runnable task;

    private Timer(long dueNanos, long sequence, Runnable task) {
      this.dueNanos = dueNanos;
      this.sequence = sequence;
      this.task = task;
    }

    public void cancel() {
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

  public Timer at(long dueNanos, Runnable task) {
    Timer timer = new Timer(dueNanos, sequence++, task);
    queue.add(timer);
    return timer;
  }

  /** Removes cancelled timers, because frequent cancellation would otherwise fill the memory with distant deadlines. */
  private void sweep() {
    if (cancelled > KEPT_CANCELLED && cancelled > queue.size() / 2) {
      queue.removeIf(timer -> timer.task == null);
      cancelled = 0;
    }
  }

  /** Number of timers in the queue, cancelled timers included. */
  public int size() {
    return queue.size();
  }

  /** Removes the first timer; returns its task, null if it was cancelled. */
  private Runnable poll() {
    Timer first = queue.poll();
    Runnable task = first.task;
    if (task == null) {
      cancelled--;
    }
    // A later cancellation has no effect.
    first.task = null;
    return task;
  }

  /** Runs due tasks; returns their number. */
  public int run(long nowNanos) {
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

  /** Returns nanoseconds until the next deadline, {@link Long#MAX_VALUE} without any. */
  public long untilNextNanos(long nowNanos) {
    while (!queue.isEmpty() && queue.peek().task == null) {
      poll();
    }
    return queue.isEmpty() ? Long.MAX_VALUE : Math.max(0, queue.peek().dueNanos - nowNanos);
  }
}
