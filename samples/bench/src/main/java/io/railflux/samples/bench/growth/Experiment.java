package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.shell.ByName;
import java.util.List;
import java.util.Locale;

/** An experiment with a growing parameter. */
enum Experiment {
  SIZES,
  STREAMS,
  PEERS,
  METRICS,
  SLOW,
  MEMORY,
  STORM;

  /** Returns the parts. Each part runs in its own pair of processes. */
  List<String> parts() {
    return this == METRICS ? List.of(Metrics.PLAIN, Metrics.METERED) : List.of("all");
  }

  Measurement of(Session session) {
    return switch (this) {
      case SIZES -> new Sizes(session);
      case STREAMS -> new Streams(session);
      case PEERS -> new Peers(session);
      case METRICS -> new Metrics(session);
      case SLOW -> new SlowOnes(session);
      case MEMORY -> new Memory(session);
      case STORM -> new Storm(session);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Converts the name of a value. */
  static final class Reader extends ByName<Experiment> {

    Reader() {
      super("experiment", values());
    }
  }
}
