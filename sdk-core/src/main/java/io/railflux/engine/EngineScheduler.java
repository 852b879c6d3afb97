package io.railflux.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.scheduler.Scheduler;

/**
 * Lets users run on the engine thread, at once or by its timers: who sends from there has no other thread
 * to wake. Tasks of one worker run in their order, one after the other, as all tasks here do. It lives as long as
 * its engine, and takes nothing afterwards; what is still to come then never runs. Any thread.
 */
final class EngineScheduler implements Scheduler {

  private final Engine engine;
  private final LongSupplier nanos;
  private final UnaryOperator<Runnable> hook;
  private final BooleanSupplier ended;

  /**
   * @param nanos the clock of the engine's cycles
   * @param hook what Reactor's users want around every task
   */
  EngineScheduler(
      Engine engine, LongSupplier nanos, UnaryOperator<Runnable> hook, BooleanSupplier ended) {
    this.engine = engine;
    this.nanos = nanos;
    this.hook = hook;
    this.ended = ended;
  }

  @Override
  public Disposable schedule(Runnable task) {
    return begin(task(task, 0, null), 0);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return begin(task(task, 0, null), unit.toNanos(delay));
  }

  @Override
  public Disposable schedulePeriodically(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return begin(task(task, periodNanos(period, unit), null), unit.toNanos(initialDelay));
  }

  private EngineTask task(Runnable task, long periodNanos, Disposable.Composite pending) {
    return new EngineTask(engine, nanos, hook.apply(task), periodNanos, pending);
  }

  private static long periodNanos(long period, TimeUnit unit) {
    return Math.max(1, unit.toNanos(period));
  }

  private Disposable begin(EngineTask task, long delayNanos) {
    if (ended.getAsBoolean()) {
      throw Exceptions.failWithRejected();
    }
    task.begin(delayNanos);
    return task;
  }

  @Override
  public Worker createWorker() {
    return new OneByOne();
  }

  /** Does nothing: it belongs to the node. */
  @Override
  public void dispose() {}

  @Override
  public boolean isDisposed() {
    return ended.getAsBoolean();
  }

  private final class OneByOne implements Worker {

    private final Disposable.Composite pending = Disposables.composite();

    @Override
    public Disposable schedule(Runnable task) {
      return begin(task, 0, 0);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return begin(task, unit.toNanos(delay), 0);
    }

    @Override
    public Disposable schedulePeriodically(
        Runnable task, long initialDelay, long period, TimeUnit unit) {
      return begin(task, unit.toNanos(initialDelay), periodNanos(period, unit));
    }

    private Disposable begin(Runnable task, long delayNanos, long periodNanos) {
      EngineTask begun = task(task, periodNanos, pending);
      if (!pending.add(begun)) {
        throw Exceptions.failWithRejected();
      }
      return EngineScheduler.this.begin(begun, delayNanos);
    }

    @Override
    public void dispose() {
      pending.dispose();
    }

    @Override
    public boolean isDisposed() {
      return pending.isDisposed();
    }
  }
}
