package io.railflux.engine.stream;

import io.railflux.engine.path.SessionContext;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import java.util.Collection;
import reactor.util.context.Context;

/** Answers the requests of one route. Engine thread only. */
public interface Responder {

  /** The routes that a node serves. */
  interface Routes {

    /** Returns the responder of a route; null if the node has none. */
    Responder responder(String route);

    /** Returns the routes that have a responder. */
    Collection<String> names();
  }

  /** Returns the name of the codec of requests. */
  String requestCodec();

  /** Returns the name of the codec of replies. */
  String replyCodec();

  /** Returns whether a request has at most one reply. */
  boolean single();

  /**
   * Handles a request.
   *
   * @param request valid during the call; its body begins with the route id
   * @param exchange receives the replies
   */
  void onRequest(ReceivedFrame request, Exchange exchange);

  /** One request being answered. Engine thread only. {@link #replies} must be called exactly once. */
  final class Exchange {

    private final Streams streams;
    private final long id;
    private final boolean single;
    private final long demand;
    private final boolean unbounded;

    Exchange(Streams streams, long id, boolean single, long demand, boolean unbounded) {
      this.streams = streams;
      this.id = id;
      this.single = single;
      this.demand = demand;
      this.unbounded = unbounded;
    }

    /** Returns the session of the requester. */
    public SessionContext session() {
      return streams.session;
    }

    /** Returns the agreed maximum message size, in bytes. */
    public int maxMessageBytes() {
      return streams.sendPath.maxMessageBytes();
    }

    /**
     * Sends the only reply if it can leave now.
     *
     * @return false, with nothing sent: the caller must then use {@link #replies}
     * @throws RuntimeException or any other throwable of the codec; nothing is sent then
     */
    public <R> boolean reply(R value, Outgoing<R> outgoing) {
      boolean left = single
          && (unbounded || demand > 0)
          && streams.exchanges().replyAtOnce(id, value, outgoing);
      if (left) {
        streams.engine.countArrived(1);
      }
      return left;
    }

    /** Returns the stream that carries the replies, with the demand of the request. */
    public OutboundStream replies(String route, DeliverySink sink, Context context) {
      OutboundStream.Identity identity = new OutboundStream.Identity(id, route, true, single, 0);
      OutboundStream stream = new OutboundStream(streams, identity, sink, context);
      streams.exchanges().served(stream);
      stream.demand(demand, unbounded);
      return stream;
    }
  }
}
