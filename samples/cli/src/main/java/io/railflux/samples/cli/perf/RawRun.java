package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.shell.CommandFailure;
import org.HdrHistogram.Histogram;

/** The bare rings between the same two processes, with the same messages. */
final class RawRun implements Baseline {

  private static final long STUCK_NANOS = 10_000_000_000L;

  private final Session session;
  private final boolean roundTrip;

  RawRun(Session session) {
    this.session = session;
    this.roundTrip = session.plan().workload().roundTrip();
  }

  @Override
  public String name() {
    return "bare ring";
  }

  @Override
  public Sample run(int round, long nanos) {
    long owner = ProcessHandle.current().pid();
    RawFile.Pair rings = RawFile.create(owner, round, session.plan().sizeBytes());
    try {
      session.order(roundTrip ? Order.Task.RAW_ECHO : Order.Task.RAW_COUNT, round, 0);
    } finally {
      RawFile.unlink(owner, round);
    }
    return roundTrip ? pingPong(rings, nanos) : oneWay(rings.out(), nanos);
  }

  private Sample oneWay(RawRing out, long nanos) {
    int clockEvery = Production.clockEvery(session.plan().sizeBytes());
    long begun = System.nanoTime();
    long number = 0;
    while (number % clockEvery != 0 || System.nanoTime() - begun < nanos) {
      offer(out, number++);
    }
    end(out);
    while (!out.drained()) {
      Thread.onSpinWait();
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  private static void offer(RawRing out, long number) {
    if (!out.offer(number)) {
      long begun = System.nanoTime();
      while (!out.offer(number)) {
        RawPeer.rest();
        if (System.nanoTime() - begun > STUCK_NANOS) {
          throw new CommandFailure("the far process stopped reading the bare ring");
        }
      }
    }
  }

  private static Sample pingPong(RawFile.Pair rings, long nanos) {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      offer(rings.out(), number);
      while (rings.back().poll(1) == 0) {
        Thread.onSpinWait();
        if (times.getTotalCount() == number - 1 && System.nanoTime() - served > STUCK_NANOS) {
          throw new CommandFailure("the far process stopped answering over the bare ring");
        }
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    end(rings.out());
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  private static void end(RawRing out) {
    while (!out.offerEnd()) {
      Thread.onSpinWait();
    }
  }
}
