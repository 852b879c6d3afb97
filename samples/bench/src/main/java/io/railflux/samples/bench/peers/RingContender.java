package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RingRounds;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The bare single-producer ring of {@code perf --raw}. Each round has its own rings. The far side creates the rings of
 * the next round before it starts a round, so that the near side finds them. It then reports that it is ready.
 */
final class RingContender implements Contender {

  /** Number of the message that reports readiness. */
  private static final long READY = 0;

  @Override
  public Far serve(Job job) {
    Rings rings = new Rings(job);
    rings.worker.start();
    return rings;
  }

  @Override
  public Near connect(String address, Job job) {
    return new Writer(Long.parseLong(address), job);
  }

  private static final class Rings implements Far {

    private static final AtomicInteger SERVED = new AtomicInteger();

    private final long owner =
        ProcessHandle.current().pid() << Short.SIZE | SERVED.getAndIncrement();
    private final Job job;
    private final Thread worker = new Thread(this::work, "rings");
    private RawFile.Pair next;
    private int made;

    Rings(Job job) {
      this.job = job;
      this.next = RawFile.create(owner, made, job.sizeBytes(), job.work());
      this.worker.setDaemon(true);
    }

    private void work() {
      try {
        while (!worker.isInterrupted()) {
          round();
        }
      } catch (CommandFailure e) {
        // The file belongs to a round that never starts. The interrupt closes it.
        if (!worker.isInterrupted()) {
          throw e;
        }
      }
    }

    private void round() {
      RawFile.Pair rings = next;
      next = RawFile.create(owner, ++made, job.sizeBytes(), job.work());
      rings.back().offer(READY);
      if (job.roundTrip()) {
        RingRounds.echo(rings);
      } else {
        RingRounds.count(rings);
      }
    }

    @Override
    public String address() {
      return String.valueOf(owner);
    }

    @Override
    public void close() {
      worker.interrupt();
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      // The near side removed the rings that it mapped, but not those of the next round.
      RawFile.unlink(owner, made - 1);
      RawFile.unlink(owner, made);
    }
  }

  private static final class Writer implements Near {

    private final long owner;
    private final Job job;
    private int round;

    Writer(long owner, Job job) {
      this.owner = owner;
      this.job = job;
    }

    @Override
    public Sample round(long nanos) throws IOException {
      RawFile.Pair rings = next();
      RingRounds.awaitOne(rings.back());
      return job.roundTrip()
          ? RingRounds.roundTrips(rings, nanos)
          : RingRounds.oneWay(rings.out(), job.sizeBytes(), nanos);
    }

    @Override
    public void rest(long nanos) throws IOException {
      RawFile.Pair rings = next();
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < nanos) {
        rings.back().poll(1);
        Thread.onSpinWait();
      }
    }

    private RawFile.Pair next() throws IOException {
      RawFile.Pair rings = RawFile.open(owner, round, job.sizeBytes(), job.work());
      RawFile.unlink(owner, round++);
      return rings;
    }

    @Override
    public void close() {
      // There is no state between rounds.
    }
  }
}
