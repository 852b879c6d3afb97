package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Runs;
import java.util.ArrayList;
import java.util.List;

/** All rails relative to the first rail, in alternation: one direction, then both at the same time. */
final class Scaling {

  static final int SIZE_BYTES = 1 << 20;

  private final Lab lab;
  private final List<Double> bothWays = new ArrayList<>();

  Scaling(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    List<Double> oneWay = lab.repeat(this::ratio);
    // The warm-up run is not counted.
    bothWays.remove(0);
    lab.say("both ways: %.4g".formatted(Runs.median(bothWays)));
    return lab.outcome("x", oneWay);
  }

  private double ratio() {
    double[] one = rates(0);
    double[] all = rates(lab.allRails());
    bothWays.add(all[1] / one[1]);
    lab.say("%.4g against %.4g MB/s one way, %.4g against %.4g both ways"
        .formatted(all[0] / 1e6, one[0] / 1e6, all[1] / 1e6, one[1] / 1e6));
    return all[0] / one[0];
  }

  private double[] rates(int... rails) {
    try (Line line = lab.open(rails)) {
      return new double[] {
        line.bytesPerSecond(SIZE_BYTES, lab.measured()),
        line.bytesPerSecondBothWays(SIZE_BYTES, lab.measured())
      };
    }
  }
}
