package io.railflux.samples.bench.peers;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.railflux.samples.cli.measure.Sample;
import java.nio.file.Path;
import org.agrona.concurrent.BackoffIdleStrategy;

/**
 * Aeron with its driver in the far process, on one thread that backs off: two processors are for the two sides, which
 * spin. Over IPC the driver has nothing to do with a message.
 */
final class AeronContender implements Contender {

  private static final int TERM_BYTES = 16 << 20;

  private final String channel;

  /** @param channel of both directions, but for the port of UDP */
  private AeronContender(String channel) {
    this.channel = channel;
  }

  static AeronContender ipc() {
    return new AeronContender("aeron:ipc?term-length=" + TERM_BYTES);
  }

  static AeronContender udp() {
    return new AeronContender("aeron:udp?endpoint=127.0.0.1:40123|term-length=" + TERM_BYTES);
  }

  @Override
  public Far serve(Job job) {
    Path directory =
        Path.of("/dev/shm", "railflux-aeron-" + ProcessHandle.current().pid());
    MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .threadingMode(ThreadingMode.SHARED)
        .sharedIdleStrategy(new BackoffIdleStrategy())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true));
    AeronLine line = AeronLine.far(aeron(driver.aeronDirectoryName()), channel, job);
    Thread worker = new Thread(line::serve, "aeron");
    worker.setDaemon(true);
    worker.start();
    return new Served(driver, line, worker);
  }

  private static Aeron aeron(String directory) {
    return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
  }

  @Override
  public Near connect(String address, Job job) {
    return new Sides(AeronLine.near(aeron(address), channel, job));
  }

  private record Served(MediaDriver driver, AeronLine line, Thread worker) implements Far {

    @Override
    public String address() {
      return driver.aeronDirectoryName();
    }

    @Override
    public void close() {
      line.stop();
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      line.close();
      driver.close();
    }
  }

  private record Sides(AeronLine line) implements Near {

    @Override
    public Sample oneWay(long nanos) {
      return line.oneWay(nanos);
    }

    @Override
    public Sample roundTrips(long nanos) {
      return line.roundTrips(nanos);
    }

    @Override
    public void close() {
      line.close();
    }
  }
}
