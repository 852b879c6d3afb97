package io.railflux;

import io.railflux.engine.OutboundStream;
import io.railflux.engine.Responder;
import io.railflux.engine.ServedExchange;
import io.railflux.engine.VirtualChannel;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RequestBody;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.Fuseable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A handler of requests: decode, ask it, send what it publishes as far as the requester asks. */
final class Serving<Q, R> implements Responder {

  /** What becomes of a reply is the requester's business. */
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
  private final Function<? super Q, ? extends Publisher<? extends R>> handler;
  private final boolean single;
  private final Outgoing<R> outgoing;

  Serving(
      Route<Q, R> route,
      Function<? super Q, ? extends Publisher<? extends R>> handler,
      boolean single) {
    this.route = Objects.requireNonNull(route, "route");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.single = single;
    this.outgoing = Outgoing.plain(route.replyCodec());
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
  public void onRequest(ReceivedFrame request, ServedExchange exchange) {
    Publisher<? extends R> replies;
    Context context = Context.empty();
    try {
      if (request.metadataBytes() > 0) {
        Map<String, String> entries = Metadatas.decode(request).context();
        context = Context.of(entries);
      }
      replies = Objects.requireNonNull(handler.apply(decode(request)), "the handler returned null");
    } catch (Throwable t) {
      replies = Flux.error(t);
    }
    replies = replyAtOnce(exchange, replies);
    if (replies != null) {
      publish(exchange, replies, context);
    }
  }

  private void publish(ServedExchange exchange, Publisher<? extends R> replies, Context context) {
    VirtualChannel channel = exchange.channel();
    OutboundStream stream = exchange.replies(route.name(), IGNORED, context);
    // More than what is ever taken would only cost the memory to hold it.
    int prefetch = single ? 1 : OutboundStream.PREFETCH;
    try {
      SendPipeline.<R>assemble(replies, outgoing, channel.engine(), stream, prefetch)
          .subscribe(stream);
    } catch (Throwable e) {
      stream.cancel(e);
    }
  }

  /**
   * A reply that is there already, as that of {@link Mono#just}, needs no pipeline if it can leave at once.
   *
   * @return what is left to publish, or null
   */
  @SuppressWarnings("unchecked") // Of what a publisher of R publishes.
  private Publisher<? extends R> replyAtOnce(
      ServedExchange exchange, Publisher<? extends R> replies) {
    if (!single || !(replies instanceof Fuseable.ScalarCallable<?> known)) {
      return replies;
    }
    R reply;
    try {
      reply = (R) known.call();
    } catch (Throwable e) {
      // Asked again, a supplier of errors would make another one.
      return Flux.error(Exceptions.unwrap(e));
    }
    try {
      return reply != null && exchange.reply(reply, outgoing) ? null : replies;
    } catch (Throwable e) {
      // Of the codec, which might not fail again.
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
