package io.railflux.pipeline;

import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** What code of the user threw inside an operator. */
final class UserFailure {

  private static final Logger LOG = LoggerFactory.getLogger(UserFailure.class);

  private UserFailure() {}

  /**
   * Ends the upstream and tells Reactor's hooks. Errors Reactor calls fatal, and would throw again, are
   * passed downstream as any other: the engine thread serves more than the stream they belong to.
   *
   * @param value that it happened with, or null
   * @return what to signal downstream
   */
  static Throwable of(Subscription upstream, Throwable t, Object value, Context context) {
    cancel(upstream);
    return Exceptions.isFatal(t) ? t : Operators.onOperatorError(null, t, value, context);
  }

  /** Cancels; what that throws keeps nobody from hearing of the end. */
  static void cancel(Subscription upstream) {
    try {
      upstream.cancel();
    } catch (Throwable t) {
      LOG.error("a publisher threw from the cancellation of its subscription", t);
    }
  }
}
