package io.railflux.engine;

import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import reactor.core.CoreSubscriber;

/** The frames that answer one request; each subscription sends the request anew. */
public final class ReplyFlux<Q> extends PeerFlux {

  private final Exchanges.RouteKey route;
  private final Q request;
  private final Outgoing<Q> outgoing;

  public ReplyFlux(
      VirtualChannel channel, Exchanges.RouteKey route, Q request, Outgoing<Q> outgoing) {
    super(channel);
    this.route = route;
    this.request = request;
    this.outgoing = outgoing;
  }

  @Override
  String what() {
    return "request '" + route.name() + "'";
  }

  @Override
  void begin(CoreSubscriber<? super ReceivedFrame> actual) {
    Streams streams = channel.streams();
    InboundStream replies = streams.replies(route.name(), route.replyCodec(), actual);
    streams.exchanges().request(route, request, outgoing, replies);
  }
}
