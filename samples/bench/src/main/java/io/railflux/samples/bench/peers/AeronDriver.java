package io.railflux.samples.bench.peers;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.AgentInvoker;

/** A media driver of this process without threads. Senders and receivers run its duty cycle. */
final class AeronDriver implements AutoCloseable {

  private static final AtomicInteger MADE = new AtomicInteger();

  private final MediaDriver driver;

  AeronDriver() {
    long pid = ProcessHandle.current().pid();
    Path directory = Path.of("/dev/shm", "railflux-aeron-" + pid + "-" + MADE.getAndIncrement());
    this.driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .threadingMode(ThreadingMode.INVOKER)
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true));
  }

  String directory() {
    return driver.aeronDirectoryName();
  }

  AgentInvoker invoker() {
    return driver.sharedAgentInvoker();
  }

  @Override
  public void close() {
    driver.close();
  }
}
