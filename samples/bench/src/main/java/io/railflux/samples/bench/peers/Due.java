package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the next message is due: on the sending thread, or on another thread that wakes it, as an application
 * thread wakes the sending thread of a library.
 */
final class Due implements AutoCloseable {

  private final ScheduledExecutorService application;

  Due(Job job) {
    this.application = job.exchange() == Exchange.WAKE_UP_RELAYED
        ? Executors.newSingleThreadScheduledExecutor(task -> {
          Thread thread = new Thread(task, "application");
          thread.setDaemon(true);
          return thread;
        })
        : null;
  }

  /** Returns the due time, before any wake-up. */
  long await(long pauseNanos) {
    if (application == null) {
      return Pace.pause(pauseNanos);
    }
    try {
      return application
          .schedule(System::nanoTime, pauseNanos, TimeUnit.NANOSECONDS)
          .get();
    } catch (ExecutionException e) {
      throw new CommandFailure("the application's thread failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (application != null) {
      application.shutdownNow();
    }
  }
}
