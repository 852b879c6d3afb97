package io.railflux.engine;

import java.util.function.LongSupplier;
import reactor.core.Disposable;

/** A user's task for the engine thread, to run once or again and again. To be disposed by any thread. */
final class EngineTask implements Disposable {

  private final Engine engine;
  private final LongSupplier nanos;
  private final Runnable task;
  private final long periodNanos;
  private final Disposable.Composite pending;
  private volatile boolean over;

  // Engine thread only, after begin().
  private long dueNanos;
  private Timers.Timer timer;

  /**
   * @param periodNanos from one run to the next, as they are due; 0: there is one only
   * @param pending where it is until it is over; null: nowhere
   */
  EngineTask(
      Engine engine,
      LongSupplier nanos,
      Runnable task,
      long periodNanos,
      Disposable.Composite pending) {
    this.engine = engine;
    this.nanos = nanos;
    this.task = task;
    this.periodNanos = periodNanos;
    this.pending = pending;
  }

  /** Once; any thread. */
  void begin(long delayNanos) {
    dueNanos = nanos.getAsLong() + delayNanos;
    engine.execute(delayNanos > 0 ? this::await : this::run);
  }

  private void await() {
    if (over) {
      return;
    }
    if (dueNanos - nanos.getAsLong() > 0) {
      timer = engine.timers().at(dueNanos, this::run);
    } else {
      // Behind those that wait already: what is late may not keep the network waiting.
      engine.execute(this::run);
    }
  }

  private void run() {
    timer = null;
    if (over) {
      return;
    }
    boolean again = false;
    try {
      task.run();
      again = periodNanos > 0;
    } finally {
      if (again) {
        dueNanos += periodNanos;
        await();
      } else {
        end();
      }
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
    if (engine.inEngine()) {
      cancel();
    } else {
      // A timer that nobody waits for any more may be due much later, and keeps what it would run.
      engine.execute(this::cancel);
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
