package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.sim.SimConfig;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life cycle of an engine thread: sleep, wake-up and end. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EngineThreadTest {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  // The engine never spins, so every submission meets it on its way to sleep.
  private final EngineThread thread = new EngineThread(EngineConfig.defaults("alone"), 0);

  @AfterEach
  void end() {
    thread.stop();
  }

  private void awaitEnd() throws InterruptedException {
    assertTrue(thread.awaitEnd(PATIENCE_NANOS));
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertTrue(latch.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS));
  }

  @Test
  void everyTaskOfAnotherThreadWakesTheEngine() throws InterruptedException {
    thread.start();
    for (int i = 0; i < 5_000; i++) {
      CountDownLatch ran = new CountDownLatch(1);
      thread.engine().execute(ran::countDown);
      await(ran);
    }
    assertTrue(thread.sleeps() > 0, "no wake-up was expected");
  }

  @Test
  void stopWakesTheEngine() throws InterruptedException {
    thread.start();
    CountDownLatch ran = new CountDownLatch(1);
    thread.engine().execute(ran::countDown);
    await(ran);

    thread.stop();

    awaitEnd();
  }

  /**
   * Otherwise work that begins after the sleep, such as the handshake of a connecting peer, would start with a delay.
   */
  @Test
  void firstCycleAfterASleepSeesTheCurrentTime() throws InterruptedException {
    FabricContext context = new EngineFabricContext(thread.engine(), thread);
    long delayNanos = TimeUnit.MILLISECONDS.toNanos(50);
    AtomicLong dueNanos = new AtomicLong();
    AtomicLong seenNanos = new AtomicLong();
    CountDownLatch ran = new CountDownLatch(1);
    thread.start();

    thread.engine().execute(() -> {
      dueNanos.set(System.nanoTime() + delayNanos);
      context
          .socketLoop()
          .schedule(
              () -> {
                seenNanos.set(context.nowNanos());
                ran.countDown();
              },
              delayNanos);
    });
    await(ran);

    assertTrue(seenNanos.get() - dueNanos.get() >= 0, "the time of a cycle before the sleep");
  }

  @Test
  void failedEngineStopsRegularly() throws InterruptedException {
    thread.engine().addRail(new ProviderOfOneThatThrows());
    thread.start();

    awaitEnd();

    assertTrue(thread.isStopping());
  }

  /** A provider whose fabric throws when the engine goes to sleep. */
  private static final class ProviderOfOneThatThrows implements FabricProvider {

    @Override
    public String name() {
      return "throws";
    }

    @Override
    public Availability availability() {
      return Availability.yes("always");
    }

    @Override
    public Fabric open(FabricContext context) {
      return (Fabric) Proxy.newProxyInstance(
          Fabric.class.getClassLoader(),
          new Class<?>[] {Fabric.class},
          (self, method, arguments) -> switch (method.getName()) {
            case "arm" -> throw new IllegalStateException("expected");
            case "poll" -> 0;
            case "capabilities" -> SimConfig.rdma().capabilitiesOf(0);
            default -> null;
          });
    }
  }

  @Test
  void taskSubmittedAfterTheEndRunsOnTheCallersThread() throws InterruptedException {
    thread.start();
    thread.stop();
    awaitEnd();
    CountDownLatch ran = new CountDownLatch(1);
    AtomicReference<Boolean> inEngine = new AtomicReference<>();
    thread.engine().execute(() -> {
      inEngine.set(thread.inEngine());
      ran.countDown();
    });

    await(ran);

    assertTrue(inEngine.get());
    assertFalse(thread.inEngine());
  }

  /** Both run as the engine thread and may access the same state. */
  @Test
  void taskSubmittedDuringTheLastCallWaitsForIt() throws InterruptedException {
    CountDownLatch ending = new CountDownLatch(1);
    CountDownLatch handedOver = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(1);
    AtomicReference<Long> pendingAfterLastCall = new AtomicReference<>();
    thread.onEnd(() -> {
      ending.countDown();
      try {
        await(handedOver);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      pendingAfterLastCall.set(ran.getCount());
    });
    thread.start();
    thread.stop();
    await(ending);

    thread.engine().execute(ran::countDown);
    handedOver.countDown();

    await(ran);
    assertEquals(1, pendingAfterLastCall.get());
  }

  @Test
  void failedLastCallBlocksNoTask() throws InterruptedException {
    thread.onEnd(() -> {
      throw new IllegalStateException("on purpose");
    });
    thread.start();
    thread.stop();
    awaitEnd();
    CountDownLatch ran = new CountDownLatch(1);

    thread.engine().execute(ran::countDown);

    await(ran);
  }

  @Test
  void taskOfAnEngineThatNeverStartedRunsWhenItIsAbandoned() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    thread.engine().execute(ran::countDown);
    assertEquals(1, ran.getCount());

    thread.abandon();

    await(ran);
    awaitEnd();
  }
}
