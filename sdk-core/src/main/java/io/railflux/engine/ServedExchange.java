package io.railflux.engine;

import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Outgoing;
import reactor.util.context.Context;

/** One request being answered. Engine thread only; {@link #replies} is to be called once. */
public final class ServedExchange {

  private final VirtualChannel channel;
  private final long id;
  private final boolean single;
  private final long demand;
  private final boolean unbounded;

  ServedExchange(VirtualChannel channel, long id, boolean single, long demand, boolean unbounded) {
    this.channel = channel;
    this.id = id;
    this.single = single;
    this.demand = demand;
    this.unbounded = unbounded;
  }

  public VirtualChannel channel() {
    return channel;
  }

  /**
   * Sends the only reply there is, if it can leave now.
   *
   * @return false, and nothing is sent: then {@link #replies} are to be asked for
   * @throws RuntimeException or whatever else the codec throws; the same
   */
  public <R> boolean reply(R value, Outgoing<R> outgoing) {
    boolean left = single
        && (unbounded || demand > 0)
        && channel.streams().exchanges().replyAtOnce(id, value, outgoing);
    if (left) {
      channel.engine().countArrived(1);
    }
    return left;
  }

  /** The stream that carries the replies, with the demand the request came with. */
  public OutboundStream replies(String route, DeliverySink sink, Context context) {
    StreamIdentity identity = new StreamIdentity(id, route, true, single, 0);
    OutboundStream stream = new OutboundStream(channel, identity, sink, context);
    channel.streams().exchanges().served(stream);
    stream.demand(demand, unbounded);
    return stream;
  }
}
