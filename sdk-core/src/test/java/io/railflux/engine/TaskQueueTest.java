package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.Occupancy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A run is bounded by the number of tasks at its start, independent of their behavior. */
class TaskQueueTest {

  private final TaskQueue tasks = new TaskQueue(new Occupancy());
  private final List<Integer> ran = new ArrayList<>();

  private void add(int number) {
    tasks.add(() -> ran.add(number));
  }

  private void again() {
    ran.add(0);
    tasks.add(this::again);
  }

  @Test
  void runsInOrder() {
    IntStream.range(0, 5).forEach(this::add);

    assertEquals(5, tasks.run());
    assertEquals(List.of(0, 1, 2, 3, 4), ran);
    assertEquals(0, tasks.run());
  }

  @Test
  void taskThatSubmitsItselfRunsOncePerRun() {
    tasks.add(this::again);
    add(1);

    assertEquals(2, tasks.run());
    assertEquals(List.of(0, 1), ran);
    assertFalse(tasks.isEmpty());
    assertEquals(1, tasks.run());
  }

  @Test
  void runIsBounded() {
    IntStream.range(0, TaskQueue.MAX_IN_A_RUN + 1).forEach(this::add);

    assertEquals(TaskQueue.MAX_IN_A_RUN, tasks.run());
    assertEquals(1, tasks.run());
    assertTrue(tasks.isEmpty());
    assertEquals(TaskQueue.MAX_IN_A_RUN + 1, ran.size());
  }

  @Test
  void failedTaskDoesNotPreventTheNext() {
    tasks.add(() -> {
      throw new IllegalStateException("on purpose");
    });
    add(1);

    assertEquals(2, tasks.run());
    assertEquals(List.of(1), ran);
  }
}
