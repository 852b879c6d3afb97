package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.ByName;
import java.util.Locale;

/** An experiment, with the number of its rails and their rate in megabits per second. */
enum Experiment {
  TWO_RAILS(2, 200),
  FOUR_RAILS(4, 100),
  UNEQUAL(2, 300),
  PATHS(1, 50),
  MEDIUM(2, 200),
  REQUEST(2, 200),
  RATE_DROP(2, 200),
  RAIL_DEATH(2, 200),
  RAIL_RETURN(2, 200),
  PARTITION(2, 200),
  FLAP(2, 200),
  SOAK(2, 200),
  OVERHEAD(1, 0);

  private final int rails;
  private final int megabits;

  Experiment(int rails, int megabits) {
    this.rails = rails;
    this.megabits = megabits;
  }

  int rails() {
    return rails;
  }

  int megabits() {
    return megabits;
  }

  Outcome run(Lab lab) {
    return switch (this) {
      case TWO_RAILS, FOUR_RAILS -> new Scaling(lab).run();
      case UNEQUAL -> new Unequal(lab).run();
      case PATHS -> new Paths(lab).run();
      case MEDIUM -> new Medium(lab).run();
      case REQUEST -> new RequestLatency(lab).run();
      case RATE_DROP -> new RateDrop(lab).run();
      case RAIL_DEATH -> new RailDeath(lab).run();
      case RAIL_RETURN -> new RailReturn(lab).run();
      case PARTITION -> new Partition(lab).run();
      case FLAP -> new Flap(lab).run();
      case SOAK -> new Soak(lab).run();
      case OVERHEAD -> throw new IllegalStateException("needs no namespaces");
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Converts the name of a value. */
  static final class Reader extends ByName<Experiment> {

    Reader() {
      super("experiment", values());
    }
  }
}
