package io.railflux.engine;

import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The frames that answer one request; each subscription sends the request anew. */
public final class ReplyFlux<Q> extends Flux<ReceivedFrame> {

  private final VirtualChannel channel;
  private final Exchanges.RouteKey route;
  private final Q request;
  private final Outgoing<Q> outgoing;

  public ReplyFlux(
      VirtualChannel channel, Exchanges.RouteKey route, Q request, Outgoing<Q> outgoing) {
    this.channel = channel;
    this.route = route;
    this.request = request;
    this.outgoing = outgoing;
  }

  @Override
  public void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.engine().inEngine()) {
      subscribeOnEngine(actual);
    } else {
      channel.engine().execute(() -> subscribeOnEngine(actual));
    }
  }

  private void subscribeOnEngine(CoreSubscriber<? super ReceivedFrame> actual) {
    if (channel.isClosed() || channel.isClosing()) {
      Operators.error(actual, channel.closedError("request '" + route.name() + "'"));
      return;
    }
    Exchanges exchanges = channel.streams().exchanges();
    InboundStream replies = channel.streams().replies(route.name(), route.replyCodec(), actual);
    exchanges.request(route, request, outgoing, replies);
  }
}
