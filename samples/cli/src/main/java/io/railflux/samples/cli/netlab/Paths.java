package io.railflux.samples.cli.netlab;

import io.railflux.metrics.RailEvent;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.List;

/**
 * MR8: connections with a limited rate each. Compares the number of connections that the trials choose with one
 * connection.
 */
final class Paths {

  private static final int LINKS = 16;

  /** Time for trials of all eight connections, including repeated trials. */
  private static final Duration SEARCH = Duration.ofSeconds(75);

  private final Lab lab;

  Paths(Lab lab) {
    this.lab = lab;
  }

  Outcome run() {
    lab.cable(0).spread(LINKS, lab.experiment().megabits());
    List<Double> ratios = lab.repeat(this::ratio);
    return lab.outcome("x", ratios);
  }

  private double ratio() {
    double one;
    try (Line line = lab.open(node -> node.connectionsPerRail(1), 0)) {
      one = line.bytesPerSecond(Scaling.SIZE_BYTES, lab.measured());
    }
    try (Line line = lab.open(0)) {
      line.peer().railEvents().filter(Paths::isFound).subscribe(found -> lab.say(found.text()));
      Flow search = line.flow(Scaling.SIZE_BYTES);
      Pause.of(SEARCH);
      search.end();
      double all = line.bytesPerSecond(Scaling.SIZE_BYTES, lab.measured());
      lab.say("%.4g against %.4g MB/s, %d connections"
          .formatted(all / 1e6, one / 1e6, line.peer().rails().size()));
      return all / one;
    }
  }

  private static boolean isFound(RailEvent event) {
    return event.kind() == RailEvent.Kind.PROBED;
  }
}
