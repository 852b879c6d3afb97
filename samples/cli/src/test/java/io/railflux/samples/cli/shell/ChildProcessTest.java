package io.railflux.samples.cli.shell;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ChildProcessTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void endsAfterItsLastLineWasDelivered() throws Exception {
    CountDownLatch handedOn = new CountDownLatch(1);
    try (ChildProcess child = ChildProcess.start("version", List.of("--version"), line -> {
      try {
        handedOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    })) {
      await().atMost(PATIENCE).until(() -> !child.isAlive());
      assertThrows(TimeoutException.class, () -> child.ended().get(200, TimeUnit.MILLISECONDS));
      handedOn.countDown();
      child.ended().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      handedOn.countDown();
    }
  }
}
