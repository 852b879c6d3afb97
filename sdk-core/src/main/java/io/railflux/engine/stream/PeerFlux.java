package io.railflux.engine.stream;

import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ThreadLocals;
import io.railflux.wire.ReceivedFrame;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * Frames of a peer. The subscriber receives its subscription before {@code subscribe} returns, on the calling thread,
 * as Reactor's operators require. All other signals arrive on the engine thread. A subscription that fails or ends
 * immediately is signalled in a separate task (D17).
 */
public abstract class PeerFlux extends Flux<ReceivedFrame> {

  final Streams streams;

  private PeerFlux(Streams streams) {
    this.streams = streams;
  }

  @Override
  public final void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    InboundStream stream = stream(actual);
    if (streams.engine.inEngine()) {
      stream.beginSubscription();
      beginOnEngine(stream, actual);
    } else {
      stream.beginForeignSubscription();
      streams.engine.execute(() -> {
        stream.takeForeignSubscription();
        beginOnEngine(stream, actual);
      });
    }
  }

  private void beginOnEngine(InboundStream stream, CoreSubscriber<? super ReceivedFrame> actual) {
    if (streams.session.isClosed() || streams.session.isClosing()) {
      stream.fail(streams.session.closedError(stream.what()));
    } else {
      begin(stream, actual.currentContext());
    }
    stream.subscriptionBegun();
  }

  /** Returns the stream of one subscriber. Any thread. */
  abstract InboundStream stream(CoreSubscriber<? super ReceivedFrame> actual);

  /** Begins the stream. The peer exists and the subscriber has its subscription. Engine thread. */
  abstract void begin(InboundStream stream, Context context);

  /** The frames of one named stream of a peer. Unicast: one subscriber at a time. */
  public static final class Messages extends PeerFlux {

    private final String name;
    private final String codec;
    private final long position;
    private final Consumer<Map<String, String>> contextListener;

    public Messages(Streams streams, String name, String codec) {
      this(streams, name, codec, 0, context -> {});
    }

    /**
     * @param position where the producer's source begins, at least 0
     * @param contextListener receives the entries of the producer's context before the first message
     */
    public Messages(
        Streams streams,
        String name,
        String codec,
        long position,
        Consumer<Map<String, String>> contextListener) {
      super(streams);
      this.name = name;
      this.codec = codec;
      this.position = position;
      this.contextListener = contextListener;
    }

    @Override
    InboundStream stream(CoreSubscriber<? super ReceivedFrame> actual) {
      InboundStream stream = new InboundStream(streams, name, codec, false, actual);
      stream.contextListener = contextListener;
      stream.beginAt(position);
      return stream;
    }

    @Override
    void begin(InboundStream stream, Context context) {
      streams.receive(stream);
    }
  }

  /** The frames that answer one request. Each subscription sends the request anew. */
  public static final class Replies<Q> extends PeerFlux {

    private final Exchanges.RouteKey route;
    private final Q request;
    private final Outgoing<Q> outgoing;
    private final long patienceNanos;
    private final Runnable sentListener;

    public Replies(Streams streams, Exchanges.RouteKey route, Q request, Outgoing<Q> outgoing) {
      this(streams, route, request, outgoing, 0, () -> {});
    }

    /**
     * @param patienceNanos longest wait for the first reply; 0 for any
     * @param sentListener runs on the engine thread when the request of a subscriber is sent
     */
    public Replies(
        Streams streams,
        Exchanges.RouteKey route,
        Q request,
        Outgoing<Q> outgoing,
        long patienceNanos,
        Runnable sentListener) {
      super(streams);
      this.patienceNanos = patienceNanos;
      this.sentListener = sentListener;
      this.route = route;
      this.request = request;
      this.outgoing = outgoing;
    }

    @Override
    InboundStream stream(CoreSubscriber<? super ReceivedFrame> actual) {
      InboundStream stream =
          new InboundStream(streams, route.name(), route.replyCodec(), true, actual);
      stream.patienceNanos = patienceNanos;
      stream.sentListener = sentListener;
      return stream;
    }

    @Override
    void begin(InboundStream stream, Context context) {
      Outgoing<Q> how;
      try {
        how = ThreadLocals.around(outgoing.in(context), context);
      } catch (Throwable e) {
        // A failure of a context value, which may be the user's code.
        stream.fail(e);
        return;
      }
      streams.exchanges().request(route, request, how, stream);
    }
  }
}
