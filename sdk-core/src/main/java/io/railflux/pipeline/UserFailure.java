package io.railflux.pipeline;

import org.reactivestreams.Subscription;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** What code of the user threw inside an operator. */
final class UserFailure {

  private UserFailure() {}

  /**
   * Ends the upstream and tells Reactor's hooks. Errors Reactor calls fatal, and would throw again, are
   * passed downstream as any other: the engine thread serves more than the stream they belong to.
   *
   * @param value that it happened with, or null
   * @return what to signal downstream
   */
  static Throwable of(Subscription upstream, Throwable t, Object value, Context context) {
    if (Exceptions.isFatal(t)) {
      upstream.cancel();
      return t;
    }
    return Operators.onOperatorError(upstream, t, value, context);
  }
}
