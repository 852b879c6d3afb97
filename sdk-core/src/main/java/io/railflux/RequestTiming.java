package io.railflux;

import io.railflux.metrics.RequestTimes;
import io.railflux.metrics.RequestTimes.Outcome;
import org.reactivestreams.Publisher;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Measures one request; used only with a meter registry. */
final class RequestTiming<R> extends DefaultSignalListener<R> {

  /** {@link RequestTimes#requested} or {@link RequestTimes#answered}. */
  interface Side {

    void ended(String route, long nanos, Outcome outcome);
  }

  private final Side side;
  private final String route;
  private final long started;

  private RequestTiming(Side side, String route, long started) {
    this.side = side;
    this.route = route;
    this.started = started;
  }

  /** A request of this node, measured from each subscription. */
  static <R> Mono<R> ofRequest(Mono<R> reply, RequestTimes times, String route) {
    return reply.tap(() -> new RequestTiming<>(times::requested, route, System.nanoTime()));
  }

  /** The replies of a handler, measured from {@code started}. */
  static <R> Publisher<? extends R> ofAnswer(
      Publisher<? extends R> replies, RequestTimes times, String route, long started) {
    // A Mono stays a Mono, whose single reply needs no check for a second one.
    return replies instanceof Mono<? extends R> only
        ? only.tap(() -> new RequestTiming<>(times::answered, route, started))
        : Flux.from(replies).tap(() -> new RequestTiming<>(times::answered, route, started));
  }

  @Override
  public void doOnComplete() {
    ended(Outcome.SUCCESS);
  }

  @Override
  public void doOnError(Throwable error) {
    ended(Outcome.ERROR);
  }

  @Override
  public void doOnCancel() {
    ended(Outcome.CANCELLED);
  }

  private void ended(Outcome outcome) {
    side.ended(route, System.nanoTime() - started, outcome);
  }
}
