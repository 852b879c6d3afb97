package io.railflux.samples.bench.growth;

import java.util.function.Consumer;

/** An experiment, or a part of it, in its own session. */
interface Measurement {

  /** Reports each figure when it is known. A base precedes the figures relative to it. */
  void run(Consumer<Figure> figures);
}
