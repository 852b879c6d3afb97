package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Sample;
import org.HdrHistogram.Histogram;

/** MR9: consecutive large requests with large replies, over two rails relative to one. */
final class RequestLatency {

  static final int SIZE_BYTES = 1 << 20;

  private final Lab lab;

  RequestLatency(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    return lab.outcome("x", lab.repeat(() -> median(lab.allRails()) / median(0)));
  }

  private double median(int... rails) {
    try (Line line = lab.open(rails)) {
      Requests requests = new Requests(line, SIZE_BYTES);
      Histogram times = Sample.histogram();
      long warmNanos = lab.measured().toNanos() / 2;
      long begun = System.nanoTime();
      for (long now = begun; now - begun < warmNanos + lab.measured().toNanos(); ) {
        requests.next().block(Line.PATIENCE);
        long answered = System.nanoTime();
        if (now - begun > warmNanos) {
          Sample.record(times, answered - now);
        }
        now = answered;
      }
      lab.count(requests.tally());
      return times.getValueAtPercentile(50);
    }
  }
}
