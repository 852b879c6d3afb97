package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.base.EngineConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The time without a poll before a cycle, which marks measurements as delayed (MR6: V 7.1.2). */
@Tag("MR6")
class UnseenTimeTest {

  private final Engine engine =
      new Engine(EngineConfig.defaults("observer"), new RaceHost(), 1_000);

  @BeforeEach
  void emptyCycle() {
    engine.dutyCycle(2_000);
  }

  @Test
  void sleepEndsWithTheFoundEvent() {
    engine.dutyCycle(9_000);
    assertEquals(0, engine.unseenNanos());
  }

  @Test
  void spinMissesEventsBetweenTwoPolls() {
    engine.spins();
    engine.dutyCycle(9_000);
    assertEquals(7_000, engine.unseenNanos());

    engine.dutyCycle(10_000);
    assertEquals(0, engine.unseenNanos());
  }

  @Test
  void workDelaysThePoll() {
    engine.execute(() -> {});
    engine.dutyCycle(3_000);
    engine.dutyCycle(8_000);
    assertEquals(5_000, engine.unseenNanos());
  }
}
