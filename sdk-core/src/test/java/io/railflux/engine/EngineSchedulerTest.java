package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.fakes.FakeFabric;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Scheduled tasks run on the engine thread, in order and at their time. */
class EngineSchedulerTest {

  private static final long MILLIS = 1_000_000;

  private final LoneEngine lone = new LoneEngine();
  private long calls;
  private boolean ended;
  private final Scheduler scheduler = new EngineScheduler(
      lone.engine,
      // Time advances within a cycle as well.
      () -> lone.nowNanos() + 10 * ++calls,
      task -> () -> {
        assertTrue(lone.inEngine());
        task.run();
      },
      () -> ended);
  private final List<String> ran = new ArrayList<>();
  private final long begun = lone.nowNanos();

  private Runnable records(String what) {
    return () -> ran.add(what);
  }

  /** Schedules tasks that record their time in milliseconds. */
  private void recordsTime() {
    ran.add(Long.toString((lone.nowNanos() - begun) / MILLIS));
  }

  private int timers() {
    return lone.engine.timers().size();
  }

  @Test
  void tasksRunInOrder() {
    for (int i = 0; i < 5; i++) {
      scheduler.schedule(records("task " + i));
    }
    assertEquals(List.of(), ran);
    lone.pass(MILLIS);

    assertEquals(List.of("task 0", "task 1", "task 2", "task 3", "task 4"), ran);
  }

  @Test
  void delayIsNeverShorterThanRequested() {
    Disposable task = scheduler.schedule(this::recordsTime, 7, TimeUnit.MILLISECONDS);
    lone.pass(7 * MILLIS - 1);
    assertEquals(List.of(), ran);
    lone.pass(MILLIS);

    assertEquals(List.of("7"), ran);
    assertTrue(task.isDisposed());
  }

  @Test
  void extremeDelaysDoNotAffectOtherTasks() {
    scheduler.schedule(records("never"), Long.MAX_VALUE, TimeUnit.DAYS);
    scheduler.schedulePeriodically(records("once"), -1, Long.MAX_VALUE, TimeUnit.DAYS);
    scheduler.schedule(records("soon"), 1, TimeUnit.MILLISECONDS);
    lone.pass(10 * MILLIS);

    assertEquals(List.of("once", "soon"), ran);
  }

  @Test
  void overdueTasksRunInTheOrderOfTheirTimes() {
    Scheduler.Worker worker = scheduler.createWorker();
    worker.schedule(records("first"), 1_000_000, TimeUnit.NANOSECONDS);
    lone.pass(MILLIS / 2);
    worker.schedule(records("second"), 600_000, TimeUnit.NANOSECONDS);
    lone.standStill(5 * MILLIS);
    lone.pass(MILLIS);

    assertEquals(List.of("first", "second"), ran);
  }

  @Test
  void periodIsKept() {
    Disposable task =
        scheduler.schedulePeriodically(this::recordsTime, 1, 10, TimeUnit.MILLISECONDS);
    lone.pass(45 * MILLIS);
    task.dispose();
    lone.pass(45 * MILLIS);

    assertEquals(List.of("1", "11", "21", "31", "41"), ran);
  }

  /** Simulates a suspended node. */
  @Test
  void missedPeriodsAreCaughtUp() {
    scheduler.schedulePeriodically(records("tick"), 1, 1, TimeUnit.MILLISECONDS);
    lone.standStill(10 * MILLIS);
    lone.pass(MILLIS / 2);

    assertEquals(10, ran.size());
  }

  @Test
  void constantlyDueTasksDoNotStarveTheNetwork() {
    CountingFabric fabric = new CountingFabric();
    lone.engine.addRail(fabric);
    scheduler.schedulePeriodically(() -> ran.add("due"), 0, 0, TimeUnit.NANOSECONDS);
    lone.pass(MILLIS);

    assertTrue(ran.size() > 100, "it is always due");
    assertTrue(fabric.polls >= ran.size() - 1, () -> fabric.polls + " turns");
  }

  @Test
  void disposedTaskNeitherRunsNorStays() {
    int before = timers();
    Disposable soon = scheduler.schedule(records("soon"));
    Disposable late = scheduler.schedule(records("late"), 1, TimeUnit.HOURS);
    soon.dispose();
    lone.pass(MILLIS);
    assertEquals(before + 1, timers());
    List<Disposable> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(scheduler.schedule(records("never"), 1, TimeUnit.HOURS));
    }
    lone.pass(MILLIS);
    late.dispose();
    many.forEach(Disposable::dispose);
    lone.pass(MILLIS);

    // Cancelled timers are removed together.
    assertTrue(timers() < 200, () -> timers() + " timers");
    assertEquals(List.of(), ran);
  }

  @Test
  void disposedWorkerEndsItsTasksOnly() {
    Scheduler.Worker worker = scheduler.createWorker();
    worker.schedulePeriodically(records("periodic"), 1, 1, TimeUnit.MILLISECONDS);
    worker.schedule(records("late"), 5, TimeUnit.MILLISECONDS);
    scheduler.schedule(records("another"), 5, TimeUnit.MILLISECONDS);
    lone.engine.execute(worker::dispose);
    lone.pass(20 * MILLIS);

    assertEquals(List.of("another"), ran);
    assertTrue(worker.isDisposed());
    assertThrows(RejectedExecutionException.class, () -> worker.schedule(records("refused")));
  }

  @Test
  void failedPeriodicTaskIsRepeatedAndDoesNotAffectOthers() {
    scheduler.schedulePeriodically(
        () -> {
          ran.add("failing");
          throw new IllegalStateException("on purpose");
        },
        1,
        2,
        TimeUnit.MILLISECONDS);
    scheduler.schedule(records("another"), 1, TimeUnit.MILLISECONDS);
    lone.pass(4 * MILLIS);

    assertEquals(List.of("failing", "another", "failing"), ran);
  }

  @Test
  void endRejectsNewTasksAndStopsPeriodicOnes() {
    Scheduler.Worker worker = scheduler.createWorker();
    scheduler.schedulePeriodically(records("tick"), 1, 1, TimeUnit.MILLISECONDS);
    scheduler.schedulePeriodically(records("late"), 0, 0, TimeUnit.NANOSECONDS);
    assertFalse(scheduler.isDisposed());
    ended = true;

    assertTrue(scheduler.isDisposed());
    assertThrows(RejectedExecutionException.class, () -> scheduler.schedule(records("task")));
    assertThrows(RejectedExecutionException.class, () -> worker.schedule(records("task")));
    assertThrows(
        RejectedExecutionException.class,
        () -> scheduler.schedulePeriodically(records("task"), 1, 1, TimeUnit.SECONDS));
    lone.pass(5 * MILLIS);
    assertEquals(List.of("late", "tick"), ran);
  }

  @Test
  void operatorsRunOnTheScheduler() {
    Flux.range(0, 3)
        .publishOn(scheduler)
        .map(n -> "value " + n)
        .subscribe(ran::add, error -> ran.add("failed"), records("completed"));
    lone.pass(MILLIS);

    assertEquals(List.of("value 0", "value 1", "value 2", "completed"), ran);
  }

  /** Counts the polls of a network. */
  private static final class CountingFabric implements FabricProvider {

    private int polls;

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public Availability availability() {
      return Availability.yes("for the test");
    }

    @Override
    public Fabric open(FabricContext context) {
      return new FakeFabric(SimConfig.mapped().capabilities()) {
        @Override
        public int poll(int limit) {
          polls++;
          return 0;
        }
      };
    }
  }
}
