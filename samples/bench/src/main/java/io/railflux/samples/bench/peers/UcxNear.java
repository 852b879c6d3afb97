package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.HdrHistogram.Histogram;

/** The near side over UCX. */
final class UcxNear implements Near {

  private final UcxConnection connection;
  private final Job job;
  private final UcxLine line;

  UcxNear(UcxConnection connection, String address, Job job) throws IOException {
    this.connection = connection;
    this.job = job;
    byte[] far = HexFormat.of().parseHex(address);
    connection.connect(ByteBuffer.allocateDirect(far.length).put(far).flip());
    this.line = new UcxLine(connection, job);
    ByteBuffer own = connection.address();
    connection.await(connection.send(own, 0, own.remaining(), UcxFar.HELLO));
  }

  @Override
  public Sample round(long nanos) throws IOException {
    return job.roundTrip() ? roundTrips(nanos) : oneWay(nanos);
  }

  private Sample oneWay(long nanos) throws IOException {
    int clockMask = Pace.clockMask(job.sizeBytes());
    long begun = System.nanoTime();
    long number = 0;
    while ((number & clockMask) != 0 || System.nanoTime() - begun < nanos) {
      line.awaitCredit();
      line.send(number++);
    }
    line.awaitCredit();
    line.send(Arrivals.END);
    long received = line.receive();
    if (received != number) {
      throw new CommandFailure(received + " of " + number + " messages arrived over UCX");
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  private Sample roundTrips(long nanos) throws IOException {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      line.send(number);
      if (line.receive() != number) {
        throw new CommandFailure("received another message over UCX");
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  @Override
  public void rest(long nanos) throws IOException {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < nanos) {
      connection.progress();
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
