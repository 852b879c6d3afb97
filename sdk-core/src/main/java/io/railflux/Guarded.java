package io.railflux;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals subscribers that may throw, either because they are raw or because Reactor rethrows fatal exceptions.
 * Exceptions are logged, and do not affect other subscribers.
 */
final class Guarded {

  private static final Logger LOG = LoggerFactory.getLogger(Guarded.class);

  private Guarded() {}

  /** Signals all present subscribers; each of them may leave meanwhile. */
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
