package io.railflux.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Exceptions;

/** A user's task for the engine thread, to run once or again and again. To be disposed by any thread. */
final class EngineTask implements Disposable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineTask.class);

  private final EngineScheduler scheduler;
  private final Runnable task;
  private final long periodNanos;
  private final Disposable.Composite pending;
  private volatile boolean over;

  // Engine thread only, after begin().
  private long dueNanos;
  private Timers.Timer timer;

  /**
   * @param periodNanos from one run to the next, as they are due; 0: there is one only
   * @param pending where it is until it is over, or null
   */
  EngineTask(
      EngineScheduler scheduler, Runnable task, long periodNanos, Disposable.Composite pending) {
    this.scheduler = scheduler;
    this.task = task;
    this.periodNanos = periodNanos;
    this.pending = pending;
  }

  /** Once; any thread. */
  void begin(long delayNanos) {
    dueNanos = scheduler.nowNanos() + delayNanos;
    scheduler.engine().execute(delayNanos > 0 ? this::await : this::run);
  }

  /** By a timer also when it is late by now: those of a worker that are due before it have theirs. */
  private void await() {
    if (!over) {
      timer = scheduler.engine().timers().at(dueNanos, this::run);
    }
  }

  private void run() {
    timer = null;
    if (over) {
      return;
    }
    try {
      task.run();
    } catch (Throwable t) {
      Exceptions.throwIfJvmFatal(t);
      LOG.error("a task of the node's scheduler failed", t);
    }
    if (periodNanos > 0 && !over && !scheduler.isDisposed()) {
      dueNanos += periodNanos;
      repeat();
    } else {
      end();
    }
  }

  private void repeat() {
    if (dueNanos - scheduler.nowNanos() > 0) {
      await();
    } else {
      // Behind those that wait already: what is late may not keep the network waiting.
      scheduler.engine().execute(this::run);
    }
  }

  private void end() {
    over = true;
    if (pending != null) {
      pending.remove(this);
    }
  }

  @Override
  public void dispose() {
    if (over) {
      return;
    }
    end();
    if (scheduler.engine().inEngine()) {
      cancel();
    } else {
      // A timer that nobody waits for any more may be due much later, and keeps what it would run.
      scheduler.engine().execute(this::cancel);
    }
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  @Override
  public boolean isDisposed() {
    return over;
  }
}
