package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import org.HdrHistogram.Histogram;

/** The near side over Aeron, and its driver if it has one. */
final class AeronNear implements Near {

  private static final long STUCK_NANOS = 10_000_000_000L;
  private static final int CLOCK_EVERY = 1 << 12;

  private final Job job;
  private final AeronDriver driver;
  private final AeronLine line;
  private long arrived;
  private long last;

  /**
   * @param directory of the far side's driver; null to start a driver here
   */
  AeronNear(String directory, String out, String back, Job job) {
    this.job = job;
    this.driver = directory == null ? new AeronDriver() : null;
    this.line = new AeronLine(
        driver == null ? directory : driver.directory(),
        driver,
        AeronLine.Stream.out(out),
        AeronLine.Stream.back(back),
        job,
        this::onNumber);
  }

  private void onNumber(long number) {
    arrived++;
    last = number;
  }

  @Override
  public Sample round(long nanos) {
    return job.roundTrip() ? roundTrips(nanos) : oneWay(nanos);
  }

  private Sample oneWay(long nanos) {
    int clockMask = Pace.clockMask(job.sizeBytes());
    long begun = System.nanoTime();
    long number = 0;
    while ((number & clockMask) != 0 || System.nanoTime() - begun < nanos) {
      line.send(number++);
    }
    line.send(Arrivals.END);
    if (receive() != number) {
      throw new CommandFailure(last + " of " + number + " messages arrived over Aeron");
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  private Sample roundTrips(long nanos) {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      line.send(number);
      if (receive() != number) {
        throw new CommandFailure("received another message over Aeron");
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  private long receive() {
    long seen = arrived;
    long begun = System.nanoTime();
    for (int polls = 1; arrived == seen; polls++) {
      line.poll();
      if (polls % CLOCK_EVERY == 0 && System.nanoTime() - begun > STUCK_NANOS) {
        throw new CommandFailure("the far process stopped answering over Aeron");
      }
    }
    return last;
  }

  @Override
  public void rest(long nanos) {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < nanos) {
      line.poll();
    }
  }

  @Override
  public void close() {
    line.close();
    if (driver != null) {
      driver.close();
    }
  }
}
