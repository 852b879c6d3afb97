package io.railflux.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watchdog sleeps while no engine runs user code. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EngineWatchdogTest {

  private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final EngineThread thread = new EngineThread(EngineConfig.defaults("alone"), 0);
  private final AtomicInteger beats = new AtomicInteger();

  @AfterEach
  void end() throws InterruptedException {
    thread.stop();
    assertTrue(thread.awaitEnd(TimeUnit.SECONDS.toNanos(10)));
  }

  /** Runs a timer, as heartbeats of a session do. */
  private void beat() {
    beats.incrementAndGet();
    Engine engine = thread.engine();
    engine.timers().at(engine.nowNanos() + BEAT_NANOS, this::beat);
  }

  private void awaitBeats(int more) {
    int before = beats.get();
    await().until(() -> beats.get() >= before + more);
  }

  @Test
  void timersOfTheEngineDoNotWakeIt() {
    thread.start();
    thread.engine().execute(this::beat);
    await().until(EngineWatchdog::isAsleep);
    long looks = EngineWatchdog.looks();

    awaitBeats(100);

    assertEquals(looks, EngineWatchdog.looks());
    assertTrue(EngineWatchdog.isAsleep());
  }

  @Test
  void userCodeWakesItAgain() {
    thread.start();
    await().until(EngineWatchdog::isAsleep);
    long looks = EngineWatchdog.looks();

    thread.engine().execute(() -> {});

    await().until(() -> EngineWatchdog.looks() > looks);
  }
}
