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
 * to wake. Tasks of one worker run in their order, one after the other, as all tasks here do; what fails is logged, and
 * repeated if it was to be. It lives as long as its engine, and takes nothing afterwards; what is still to come then
 * never runs. Any thread.
 */
final class EngineScheduler implements Scheduler {

  /** What is due later never is: by differences of times timers know which one comes first. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  private final Engine engine;
  private final LongSupplier clock;
  private final UnaryOperator<Runnable> hook;
  private final BooleanSupplier ended;

  /**
   * @param clock of the engine's cycles, nanoseconds
   * @param hook what Reactor's users want around every task
   * @param ended once all is told that ends with the engine
   */
  EngineScheduler(
      Engine engine, LongSupplier clock, UnaryOperator<Runnable> hook, BooleanSupplier ended) {
    this.engine = engine;
    this.clock = clock;
    this.hook = hook;
    this.ended = ended;
  }

  Engine engine() {
    return engine;
  }

  long nowNanos() {
    return clock.getAsLong();
  }

  @Override
  public Disposable schedule(Runnable task) {
    return begin(task, 0, 0, null);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return begin(task, nanos(delay, unit), 0, null);
  }

  @Override
  public Disposable schedulePeriodically(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return begin(task, nanos(initialDelay, unit), Math.max(1, nanos(period, unit)), null);
  }

  /** @param worker what has the task until it is over, or null */
  private Disposable begin(
      Runnable task, long delayNanos, long periodNanos, Disposable.Composite worker) {
    if (ended.getAsBoolean()) {
      throw Exceptions.failWithRejected();
    }
    EngineTask begun = new EngineTask(this, hook.apply(task), periodNanos, worker);
    if (worker != null && !worker.add(begun)) {
      throw Exceptions.failWithRejected();
    }
    begun.begin(delayNanos);
    return begun;
  }

  private static long nanos(long time, TimeUnit unit) {
    return Math.max(0, Math.min(unit.toNanos(time), LONGEST_NANOS));
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
      return begin(task, 0, 0, pending);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return begin(task, nanos(delay, unit), 0, pending);
    }

    @Override
    public Disposable schedulePeriodically(
        Runnable task, long initialDelay, long period, TimeUnit unit) {
      return begin(task, nanos(initialDelay, unit), Math.max(1, nanos(period, unit)), pending);
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
