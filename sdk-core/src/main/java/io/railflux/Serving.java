package io.railflux;

import io.railflux.engine.path.SessionContext;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.Responder;
import io.railflux.message.Envelope;
import io.railflux.metrics.RequestTimes;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import io.railflux.pipeline.ThreadLocals;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RequestBody;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.Fuseable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A handler of requests: decodes the request, calls the handler, and sends its replies within the demand of the
 * requester.
 */
final class Serving<Q, R> implements Responder {

  /** Only the requester needs the outcome of replies. */
  private static final DeliverySink IGNORED = new DeliverySink() {
    @Override
    public void onAcknowledged(long messages) {}

    @Override
    public void onExpired(long index) {}

    @Override
    public void onCompleted() {}

    @Override
    public void onFailed(Throwable error) {}
  };

  private final Route<Q, R> route;
  private final Handler<Q, R> handler;
  private final boolean single;
  private final Outgoing<R> outgoing;
  private final @Nullable RequestTimes times;

  /** Answers one request. Engine thread. */
  interface Handler<Q, R> {

    /**
     * Returns the replies to a request.
     *
     * @param request the frame of the request, valid during the call
     */
    Publisher<? extends R> handle(SessionContext session, ReceivedFrame request, Q value);
  }

  /** Passes the value of a request to {@code handler}. */
  static <Q, R> Handler<Q, R> ofValue(
      Function<? super Q, ? extends Publisher<? extends R>> handler) {
    Objects.requireNonNull(handler, "handler");
    return (session, request, value) -> handler.apply(value);
  }

  /** Passes the requester, headers and remaining time of a request to {@code handler}, too. */
  static <Q, R> Handler<Q, R> ofEnvelope(
      Function<SessionContext, Peer> peers,
      BiFunction<? super Peer, ? super Envelope<Q>, ? extends Publisher<? extends R>> handler) {
    Objects.requireNonNull(handler, "handler");
    return (session, request, value) -> {
      Metadatas.Decoded metadata = Metadatas.decode(request);
      long timeToLive = request.timeToLiveNanos();
      Envelope<Q> envelope = new Envelope<>(
          value,
          metadata.headers(),
          timeToLive == 0 ? null : Duration.ofNanos(timeToLive),
          metadata.context());
      return handler.apply(peers.apply(session), envelope);
    };
  }

  /** @param times receives the durations; null for none */
  Serving(Route<Q, R> route, Handler<Q, R> handler, boolean single, @Nullable RequestTimes times) {
    this.route = Objects.requireNonNull(route, "route");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.single = single;
    this.outgoing = Outgoing.plain(route.name(), route.replyCodec());
    this.times = times;
  }

  String routeName() {
    return route.name();
  }

  @Override
  public String requestCodec() {
    return route.requestCodec().name();
  }

  @Override
  public String replyCodec() {
    return route.replyCodec().name();
  }

  @Override
  public boolean single() {
    return single;
  }

  @Override
  public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
    Context context;
    try {
      context = context(request);
    } catch (Throwable t) {
      publish(exchange, Flux.error(t), Context.empty());
      return;
    }
    if (!context.isEmpty() && ThreadLocals.areRestored()) {
      answerRestored(request, exchange, context);
    } else {
      answer(request, exchange, context);
    }
  }

  private void answerRestored(ReceivedFrame request, Responder.Exchange exchange, Context context) {
    boolean[] began = {false};
    try {
      ThreadLocals.run(context, () -> {
        began[0] = true;
        answer(request, exchange, context);
      });
    } catch (Throwable t) {
      if (began[0]) {
        throw t;
      }
      // An accessor of the application failed: the requester receives the error, like that of a
      // handler.
      publish(exchange, Flux.error(t), Context.empty());
    }
  }

  private static Context context(ReceivedFrame request) {
    if (request.metadataBytes() == 0) {
      return Context.empty();
    }
    Map<String, String> entries = Metadatas.decode(request).context();
    return Context.of(entries);
  }

  private void answer(ReceivedFrame request, Responder.Exchange exchange, Context context) {
    long started = times == null ? 0 : System.nanoTime();
    Publisher<? extends R> replies;
    try {
      replies = Objects.requireNonNull(
          handler.handle(exchange.session(), request, decode(request)),
          "the handler returned null");
    } catch (Throwable t) {
      replies = Flux.error(t);
    }
    replies = replyAtOnce(exchange, replies);
    if (replies == null) {
      if (times != null) {
        times.answered(route.name(), System.nanoTime() - started, RequestTimes.Outcome.SUCCESS);
      }
      return;
    }
    if (times != null) {
      replies = RequestTiming.ofAnswer(replies, times, route.name(), started);
    }
    publish(exchange, replies, context);
  }

  private void publish(
      Responder.Exchange exchange, Publisher<? extends R> replies, Context context) {
    SessionContext session = exchange.session();
    OutboundStream stream = exchange.replies(route.name(), IGNORED, context);
    // A larger prefetch would only take memory.
    int prefetch = single ? 1 : OutboundStream.PREFETCH;
    try {
      Outgoing<R> own = outgoing.forSubscription(exchange.maxMessageBytes());
      SendPipeline.<R>assemble(replies, own, session.engine(), stream, prefetch).subscribe(stream);
    } catch (Throwable e) {
      stream.cancel(e);
    }
  }

  /**
   * A reply that exists at once, such as that of {@link Mono#just}, needs no pipeline if it can be sent immediately.
   *
   * @return the publisher that remains to be subscribed to, or null
   */
  @SuppressWarnings("unchecked") // The publisher emits values of R.
  private @Nullable Publisher<? extends R> replyAtOnce(
      Responder.Exchange exchange, Publisher<? extends R> replies) {
    if (!single || !(replies instanceof Fuseable.ScalarCallable<?> known)) {
      return replies;
    }
    R reply;
    try {
      reply = (R) known.call();
    } catch (Throwable e) {
      // A second call of an error supplier would create another error.
      return Flux.error(Exceptions.unwrap(e));
    }
    try {
      return reply != null && exchange.reply(reply, outgoing) ? null : replies;
    } catch (Throwable e) {
      // An error of the codec, which a second call might not repeat.
      return Flux.error(
          Exceptions.isFatal(e) ? e : Operators.onOperatorError(null, e, reply, Context.empty()));
    }
  }

  private Q decode(ReceivedFrame request) {
    var body = request.body();
    body.position(body.position() + RequestBody.ROUTE_ID_BYTES);
    return route.requestCodec().decode(body);
  }
}
