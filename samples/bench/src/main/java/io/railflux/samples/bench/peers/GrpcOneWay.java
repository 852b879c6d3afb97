package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Sample;

/** Sends as many messages as the transport accepts, then requests the received count. */
final class GrpcOneWay extends GrpcRound {

  private final long begunNanos = System.nanoTime();
  private final long nanos;
  private final int clockMask;
  private long number;
  private boolean over;

  GrpcOneWay(Job job, long nanos) {
    super(job);
    this.nanos = nanos;
    this.clockMask = Pace.clockMask(job.sizeBytes());
  }

  @Override
  void onReady() {
    while (!over && isReady()) {
      over = (number & clockMask) == 0 && System.nanoTime() - begunNanos >= nanos;
      send(over ? Arrivals.END : number++);
    }
  }

  @Override
  void onNumber(long received) {
    if (received != number) {
      fail(received + " of " + number + " messages arrived over gRPC");
    }
    end(new Sample(number, System.nanoTime() - begunNanos, Sample.histogram()));
  }
}
