package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.Sample;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/** The minimum that wakes a reader in another process: bare rings and a {@link Doorbell} over a Unix-domain socket. */
final class DoorbellContender implements Contender {

  private static final AtomicInteger SERVED = new AtomicInteger();

  /** Wait for a running round, whose near side may never disconnect. */
  private static final long LAST_ROUND_MILLIS = 1_000;

  private static UnixDomainSocketAddress socket(long owner) {
    return UnixDomainSocketAddress.of(Path.of("/dev/shm", "railflux-raw-" + owner + "-bell"));
  }

  @Override
  public Far serve(Job job) throws IOException {
    long owner = ProcessHandle.current().pid() << Short.SIZE | SERVED.getAndIncrement();
    ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(socket(owner));
    return new Bells(owner, job, server);
  }

  @Override
  public Near connect(String address, Job job) {
    return new Ringing(Long.parseLong(address), job);
  }

  private static final class Bells implements Far {

    private final long owner;
    private final Job job;
    private final ServerSocketChannel server;
    private final Thread worker;

    Bells(long owner, Job job, ServerSocketChannel server) {
      this.owner = owner;
      this.job = job;
      this.server = server;
      this.worker = new Thread(this::accept, "bells");
      worker.setDaemon(true);
      worker.start();
    }

    private void accept() {
      for (int round = 0; server.isOpen(); round++) {
        RawFile.Pair rings = RawFile.create(owner, round, job.sizeBytes(), job.work());
        try (Doorbell bell = Doorbell.far(server.accept(), rings)) {
          // The near side may have connected before the rings existed.
          bell.ring();
          while (true) {
            bell.send(bell.receive());
          }
        } catch (IOException endOfRound) {
          // Also removes the ring of a round that never started.
          RawFile.unlink(owner, round);
        }
      }
    }

    @Override
    public String address() {
      return String.valueOf(owner);
    }

    /** Returns after the worker removed the rings of the next round. */
    @Override
    public void close() throws IOException {
      server.close();
      Files.deleteIfExists(socket(owner).getPath());
      try {
        worker.join(LAST_ROUND_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class Ringing implements Near {

    private final long owner;
    private final Job job;
    private final Due due;
    private int round;

    Ringing(long owner, Job job) {
      this.owner = owner;
      this.job = job;
      this.due = new Due(job);
    }

    @Override
    public Sample round(long nanos) throws IOException {
      return round(nanos, job.pauseNanos());
    }

    @Override
    public void warmUp(long nanos, long pauseNanos) throws IOException {
      round(nanos, pauseNanos);
    }

    private Sample round(long nanos, long pauseNanos) throws IOException {
      SocketChannel channel = SocketChannel.open(socket(owner));
      if (channel.read(ByteBuffer.allocateDirect(1)) < 0) {
        throw new EOFException("the far side closed the socket");
      }
      RawFile.Pair rings = RawFile.open(owner, round++, job.sizeBytes(), job.work());
      try (Doorbell bell = Doorbell.near(channel, rings)) {
        return roundTrips(bell, nanos, pauseNanos);
      }
    }

    private Sample roundTrips(Doorbell bell, long nanos, long pauseNanos) throws IOException {
      Histogram times = Sample.histogram();
      long begun = System.nanoTime();
      long now = begun;
      for (long number = 0; now - begun < nanos; number++) {
        long served = due.await(pauseNanos);
        bell.send(number);
        if (bell.receive() != number) {
          throw new IOException("received another message");
        }
        now = System.nanoTime();
        Sample.record(times, now - served);
      }
      return new Sample(times.getTotalCount(), now - begun, times);
    }

    @Override
    public void rest(long nanos) {
      Pace.pause(nanos);
    }

    @Override
    public void close() {
      due.close();
    }
  }
}
