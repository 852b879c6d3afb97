package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Sample;
import org.HdrHistogram.Histogram;

/** One message in flight. The measured time begins when the first one returns, which sets up the call. */
final class GrpcRoundTrips extends GrpcRound {

  private final long nanos;
  private final Histogram times = Sample.histogram();
  private long begunNanos;
  private long served;
  private long servedNanos;
  private boolean begun;

  GrpcRoundTrips(Job job, long nanos) {
    super(job);
    this.nanos = nanos;
  }

  @Override
  void onReady() {
    if (!begun) {
      begun = true;
      serve(0, System.nanoTime());
    }
  }

  private void serve(long number, long now) {
    served = number;
    servedNanos = now;
    send(number);
  }

  @Override
  void onNumber(long number) {
    long now = System.nanoTime();
    if (number != served) {
      fail("message " + number + " returned instead of " + served + " over gRPC");
    }
    if (number == 0) {
      begunNanos = now;
    } else {
      Sample.record(times, now - servedNanos);
    }
    if (number == 0 || now - begunNanos < nanos) {
      serve(number + 1, now);
    } else {
      end(new Sample(times.getTotalCount(), now - begunNanos, times));
    }
  }
}
