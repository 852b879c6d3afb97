package io.railflux;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals to subscribers that may throw nevertheless, if they are raw or throw what Reactor calls fatal and
 * throws on. That is told in the log: the others, and whatever follows, take place all the same.
 */
final class Guarded {

  private static final Logger LOG = LoggerFactory.getLogger(Guarded.class);

  private Guarded() {}

  /** Each of those there are now; any of them may leave meanwhile. */
  static <S> void each(List<S> subscribers, Consumer<S> signal) {
    for (S subscriber : List.copyOf(subscribers)) {
      run(() -> signal.accept(subscriber));
    }
  }

  static void run(Runnable signal) {
    try {
      signal.run();
    } catch (Throwable e) {
      LOG.error("a subscriber threw from a method that must not", e);
    }
  }
}
