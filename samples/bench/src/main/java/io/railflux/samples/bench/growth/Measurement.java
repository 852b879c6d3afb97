package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** An experiment, or a part of it, in a session of its own. */
interface Measurement {

  /** Tells each figure as soon as it is there, a base before those that are told as ratios to it. */
  void run(Consumer<Figure> told);
}
