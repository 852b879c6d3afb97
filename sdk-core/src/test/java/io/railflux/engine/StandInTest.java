package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that are submitted after the end of the engine thread. */
class StandInTest {

  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private final List<Runnable> deferred = new ArrayList<>();
  private final StandIn standIn = new StandIn(this::runOne, deferred::add);
  private int ran;

  private int runOne() {
    Runnable task = queue.poll();
    if (task == null) {
      return 0;
    }
    ran++;
    task.run();
    return 1;
  }

  private void submit(Runnable task) {
    queue.add(task);
    standIn.run();
  }

  private void resubmit() {
    submit(this::resubmit);
  }

  @BeforeEach
  void endTheEngineThread() {
    standIn.takeOver();
  }

  @Test
  void runsATaskOnTheThreadOfItsCaller() {
    boolean[] current = new boolean[1];

    submit(() -> current[0] = standIn.isCurrentThread());

    assertTrue(current[0]);
    assertFalse(standIn.isCurrentThread());
  }

  @Test
  void runsTasksThatATaskSubmits() {
    submit(() -> submit(() -> {}));

    assertEquals(2, ran);
    assertTrue(deferred.isEmpty());
  }

  @Test
  void returnsToTheCallerIfTasksSubmitOthersEndlessly() {
    resubmit();

    assertEquals(StandIn.MAX_ROUNDS, ran);
    assertEquals(1, deferred.size());
  }

  @Test
  void keepsTheOrderWhileTasksAreDeferred() {
    resubmit();
    List<String> order = new ArrayList<>();
    queue.clear();
    submit(() -> order.add("first"));
    submit(() -> order.add("second"));
    assertTrue(order.isEmpty());

    deferred.remove(0).run();

    assertEquals(List.of("first", "second"), order);
    submit(() -> order.add("third"));
    assertEquals(3, order.size());
  }
}
