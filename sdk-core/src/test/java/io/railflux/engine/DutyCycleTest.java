package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures within one cycle do not affect the rest of the cycle. */
class DutyCycleTest {

  private final LoneEngine lone = new LoneEngine();
  private final List<String> ran = new ArrayList<>();

  private static void fail() {
    throw new IllegalStateException("on purpose");
  }

  @Test
  void failedReleaseDoesNotEndTheNode() {
    lone.engine.afterRelease(DutyCycleTest::fail);
    lone.engine.afterRelease(() -> ran.add("another"));
    lone.cycle();
    lone.engine.execute(() -> ran.add("a task"));
    lone.cycle();

    assertEquals(List.of("another", "a task"), ran);
  }

  @Test
  void failedTimerDoesNotEndTheNode() {
    lone.engine.timers().at(0, DutyCycleTest::fail);
    lone.engine.timers().at(0, () -> ran.add("another"));
    lone.cycle();
    lone.cycle();

    assertEquals(List.of("another"), ran);
  }
}
