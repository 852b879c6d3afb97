package io.railflux.pipeline;

import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Exceptions of user code inside an operator. */
final class UserFailure {

  private static final Logger LOG = LoggerFactory.getLogger(UserFailure.class);

  private UserFailure() {}

  /**
   * Cancels upstream and calls the hooks of Reactor. Errors that Reactor would rethrow as fatal are passed downstream
   * like others, because the engine thread serves other streams too.
   *
   * @param value value concerned, or null
   * @return the error to signal downstream
   */
  static Throwable of(Subscription upstream, Throwable t, Object value, Context context) {
    cancel(upstream);
    return Exceptions.isFatal(t) ? t : Operators.onOperatorError(null, t, value, context);
  }

  /** Cancels; an exception of the cancellation does not suppress the end. */
  static void cancel(Subscription upstream) {
    try {
      upstream.cancel();
    } catch (Throwable t) {
      LOG.error("a publisher threw from the cancellation of its subscription", t);
    }
  }
}
