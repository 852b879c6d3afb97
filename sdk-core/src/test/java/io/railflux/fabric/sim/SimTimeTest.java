package io.railflux.fabric.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimTimeTest {

  private final SimNetwork network = new SimNetwork(1);
  private final List<String> ran = new ArrayList<>();

  @Test
  void eventsRunInTheOrderOfTimeThenOfScheduling() {
    network.schedule(20, () -> ran.add("c"));
    network.schedule(10, () -> ran.add("a"));
    network.schedule(10, () -> ran.add("b"));
    network.runUntil(100);

    assertEquals(List.of("a", "b", "c"), ran);
    assertEquals(100, network.now());
  }

  @Test
  void stepRunsOneEventAtItsTime() {
    network.schedule(20, () -> ran.add("b"));
    network.schedule(10, () -> ran.add("a"));

    assertEquals(2, network.pendingEvents());
    assertEquals(10, network.nextEventAt());
    assertTrue(network.step());
    assertEquals(10, network.now());
    assertTrue(network.step());
    assertFalse(network.step());
    assertEquals(20, network.now());
    assertEquals(Long.MAX_VALUE, network.nextEventAt());
  }

  @Test
  void eventsAfterTheEndWait() {
    network.schedule(101, () -> ran.add("late"));
    network.runUntil(100);

    assertEquals(List.of(), ran);
    assertEquals(1, network.pendingEvents());
  }

  @Test
  void runEndsWhenTheConditionHolds() {
    network.schedule(10, () -> ran.add("a"));
    network.schedule(20, () -> ran.add("b"));

    assertTrue(network.runUntil(() -> ran.contains("a"), 100));
    assertEquals(10, network.now());
    assertFalse(network.runUntil(() -> ran.contains("c"), 100));
    assertEquals(100, network.now());
  }

  @Test
  void timersEndWithTheirProcess() {
    SimHost host = network.host("a");
    host.schedule(10, () -> ran.add("first life"));
    host.restart();
    host.schedule(20, () -> ran.add("second life"));
    network.runUntil(100);

    assertEquals(List.of("second life"), ran);
  }

  @Test
  void infiniteDelayNeverEnds() {
    network.schedule(5, () -> network.schedule(Long.MAX_VALUE, () -> ran.add("never")));
    network.runUntil(1_000_000);

    assertEquals(List.of(), ran);
  }
}
