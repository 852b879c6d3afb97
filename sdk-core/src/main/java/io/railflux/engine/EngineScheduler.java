package io.railflux.engine;

import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.Timers;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.scheduler.Scheduler;

/**
 * Runs tasks of users on the engine thread, immediately or by its timers. A task that sends from there needs no wake-up
 * of another thread. Tasks of one worker run sequentially, in their order, like all tasks of the engine. Failures are
 * logged, and periodic tasks continue. The scheduler lives as long as its engine. Afterwards it rejects tasks, and
 * pending tasks never run. Any thread.
 */
final class EngineScheduler implements Scheduler {

  /** Maximum delay; tasks due later never run. Timers order times by their differences. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  private final Engine engine;
  private final Timers timers;
  private final Occupancy occupancy;
  private final LongSupplier clock;
  private final UnaryOperator<Runnable> hook;
  private final BooleanSupplier ended;

  /**
   * @param clock time of the engine's cycles, in nanoseconds
   * @param hook hook of Reactor's users around every task
   * @param ended true once all ends caused by the end of the engine are reported
   */
  EngineScheduler(
      Engine engine, LongSupplier clock, UnaryOperator<Runnable> hook, BooleanSupplier ended) {
    this.engine = engine;
    this.timers = engine.timers();
    this.occupancy = engine.occupancy();
    this.clock = clock;
    this.hook = hook;
    this.ended = ended;
  }

  private long nowNanos() {
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

  /** @param worker contains the task until it is over; may be null */
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

  /** Does nothing: the scheduler belongs to the node. */
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

  /** A user's task on the engine thread, one-shot or periodic. Any thread may dispose of the task. */
  static final class EngineTask implements Disposable, Occupancy.Occupant {

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
     * @param periodNanos interval between due times; 0 for a one-shot task
     * @param pending contains the task until it is over; may be null
     */
    EngineTask(
        EngineScheduler scheduler, Runnable task, long periodNanos, Disposable.Composite pending) {
      this.scheduler = scheduler;
      this.task = task;
      this.periodNanos = periodNanos;
      this.pending = pending;
    }

    /** Begins the task. Called once, by any thread. */
    void begin(long delayNanos) {
      dueNanos = scheduler.nowNanos() + delayNanos;
      scheduler.engine.execute(delayNanos > 0 ? this::await : this::run);
    }

    /** Sets a timer even if the task is overdue: tasks of the same worker that are due earlier have timers, too. */
    private void await() {
      if (!over) {
        timer = scheduler.timers.at(dueNanos, this::run);
      }
    }

    private void run() {
      timer = null;
      if (over) {
        return;
      }
      scheduler.occupancy.enter(this);
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

    @Override
    public String describe() {
      return "a task of the node's scheduler (" + task.getClass().getName() + ")";
    }

    private void repeat() {
      if (dueNanos - scheduler.nowNanos() > 0) {
        await();
      } else {
        // Runs behind the waiting tasks: an overdue task must not delay the network.
        scheduler.engine.execute(this::run);
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
      if (scheduler.engine.inEngine()) {
        cancel();
      } else {
        // An unneeded timer may be due much later and would retain its task.
        scheduler.engine.execute(this::cancel);
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
}
