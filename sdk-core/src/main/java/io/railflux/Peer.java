package io.railflux;

import io.railflux.engine.ChannelState;
import io.railflux.engine.Exchanges;
import io.railflux.engine.InboundFlux;
import io.railflux.engine.ReplyFlux;
import io.railflux.engine.StreamFailure;
import io.railflux.engine.VirtualChannel;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import io.railflux.message.Message;
import io.railflux.message.Receipt;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.StripingGain;
import io.railflux.pipeline.Enveloped;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Another node, as long as both live and can find each other: a session of exactly-once, ordered
 * streams in both directions. A peer that restarts is another peer: streams of this one fail.
 *
 * <p>All methods may be called from any thread; nothing happens before the result is subscribed to.
 * Signals arrive on the engine thread, which subscribers must not block; only that a request's time is up
 * is told by another.
 */
public final class Peer {

  private final Node node;
  private final VirtualChannel channel;
  private final String reason;
  private final Sinks.Empty<Void> closed = Sinks.empty();

  /** @param reason why it is reached the way it is, for people */
  Peer(Node node, VirtualChannel channel, String reason) {
    this.node = node;
    this.channel = channel;
    this.reason = reason;
    channel.onEnd(failure -> {
      node.events().ended(channel);
      closed.tryEmitEmpty();
    });
  }

  /** Name of the node at the other end. */
  public String name() {
    return channel.peerName();
  }

  /**
   * Which rails lead to the peer now, what protects them, and why these; then a line for each path there is or was with
   * what it carries, and why several bring nothing, if they do not. For people: its form may change.
   */
  public String explain() {
    String line = reach();
    List<RailStatus> rails = channel.rails();
    String missing = StripingGain.missing(rails);
    return rails.stream().map(rail -> "\n  " + rail).collect(Collectors.joining("", line, ""))
        + (missing.isEmpty() ? "" : "\n  several rails bring nothing: " + missing);
  }

  /** The first line of {@link #explain}. */
  String reach() {
    return "'" + name() + "' " + channel.explainRails() + "; " + reason;
  }

  /** What is known of every path to the peer, those included that were lost. */
  public List<RailStatus> rails() {
    return channel.rails();
  }

  /** What happens to the paths of this peer, from now on, as {@link Node#railEvents} tells it. */
  public Flux<RailEvent> railEvents() {
    return node.events().flux(new RailEvents.OfOne(channel));
  }

  /**
   * Connects to the same peer at further addresses, each with its fabric as {@link Node#connect} takes
   * several: what is sent is spread over them as well, as soon as they are there.
   *
   * @return completes when they are there, which is tried until the session ends, also when nobody waits any more;
   *     fails with {@link IllegalStateException} where the peer connected to this node: it knows the way, not this
   *     side
   */
  public Mono<Void> addRail(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return Mono.create(sink -> channel.engine().execute(() -> {
      try {
        node.ways().add(channel, addresses, sink);
        Runnable settled =
            channel.onEnd(failure -> sink.error(channel.closedError("addRail " + addresses)));
        // Rails may be added as long as the session lasts: whoever waits no more is not kept for
        // it.
        sink.onDispose(() -> channel.engine().execute(settled));
      } catch (Throwable e) {
        sink.error(e);
      }
    }));
  }

  /**
   * Gives up the connections to addresses of the peer; what is under way there goes over the others.
   *
   * @return fails with {@link IllegalArgumentException} when there is none to it, or no other that is there now
   */
  public Mono<Void> removeRail(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return onEngine(() -> {
      node.ways().remove(channel, addresses);
      return null;
    });
  }

  /** From now on that policy decides how messages to this peer are spread; it serves no other peer. */
  public Mono<Void> striping(StripingPolicy policy) {
    Objects.requireNonNull(policy, "policy");
    return onEngine(() -> {
      if (channel.isClosed()) {
        throw channel.closedError("striping");
      }
      channel.striping(policy);
      return null;
    });
  }

  private <T> Mono<T> onEngine(Callable<T> work) {
    return Mono.create(sink -> channel.engine().execute(() -> {
      try {
        sink.success(work.call());
      } catch (Throwable e) {
        sink.error(e);
      }
    }));
  }

  /** Largest message both sides agreed on, in bytes. */
  public int maxMessageBytes() {
    return channel.maxMessageBytes();
  }

  /**
   * Sends {@code values} as the stream {@code name}; they are requested as far as the subscriber over
   * there requests. Several streams may be open at once, each name once.
   *
   * @return completes when every message is in the peer's memory, in order, once. Fails with the error
   *     of {@code values} (the far subscriber gets a {@link
   *     io.railflux.exceptions.RemoteStreamException}), {@link
   *     io.railflux.exceptions.StreamCancelledException} when the far subscriber cancelled, {@link
   *     io.railflux.exceptions.StreamRejectedException} when name or codec do not fit there, {@link
   *     io.railflux.exceptions.DeliveryUnknownException} when the peer is lost. Cancelling it ends the
   *     stream with an error over there.
   */
  public <T> Mono<Void> send(String name, Codec<T> codec, Publisher<? extends T> values) {
    return deliver(name, codec, values, Outgoing.plain(codec));
  }

  /** As {@link #send}, each message with headers and a time to live of its own. */
  public <T> Mono<Void> sendEnvelopes(String name, Codec<T> codec, Publisher<Envelope<T>> values) {
    return deliver(name, codec, values, Enveloped.outgoing(codec, Map.of()));
  }

  private <T> Mono<Void> deliver(
      String name, Codec<?> codec, Publisher<? extends T> values, Outgoing<T> outgoing) {
    String codecName = checked(name, codec);
    Objects.requireNonNull(values, "values");
    return Mono.create(sink -> {
      Sending<T> sending = new Sending<>(node, channel, name, codecName, outgoing);
      sending.start(values, sink.contextView(), new MonoDelivery(sink));
      sink.onCancel(sending::cancel);
    });
  }

  /**
   * As {@link #send}, telling what became of each message in order: acknowledged or expired. Receipts
   * nobody requests are counted, not queued; only when more than 65,536 of them tell of expired
   * messages does the send fail with an overflow. Completes and fails as {@link #send} does.
   */
  public <T> Flux<Receipt> sendWithReceipts(
      String name, Codec<T> codec, Publisher<? extends T> values) {
    return receipts(name, codec, values, Outgoing.plain(codec));
  }

  /** As {@link #sendWithReceipts}, each message with headers and a time to live of its own. */
  public <T> Flux<Receipt> sendEnvelopesWithReceipts(
      String name, Codec<T> codec, Publisher<Envelope<T>> values) {
    return receipts(name, codec, values, Enveloped.outgoing(codec, Map.of()));
  }

  private <T> Flux<Receipt> receipts(
      String name, Codec<?> codec, Publisher<? extends T> values, Outgoing<T> outgoing) {
    String codecName = checked(name, codec);
    Objects.requireNonNull(values, "values");
    return new ReceiptFlux(
        (context, delivery) -> {
          Sending<T> sending = new Sending<>(node, channel, name, codecName, outgoing);
          sending.start(values, context, delivery);
          return sending::cancel;
        },
        channel.engine());
  }

  /**
   * Receives the stream {@code name} of this peer, announced already or not. Its requests reach the
   * producer over there; a stream nobody subscribes to is held back. Unicast: one subscriber per name
   * at a time. Completes when the producer completes; the next subscription gets the next stream.
   */
  public <T> Flux<T> receive(String name, Codec<T> codec) {
    return ReceivePipeline.assemble(
        new InboundFlux(channel, name, checked(name, codec)), Incoming.plain(codec));
  }

  /** What cannot be is told to who asks for it, not to a subscriber. Returns the codec's name. */
  private static String checked(String name, Codec<?> codec) {
    Objects.requireNonNull(name, "name");
    return Route.codecName(codec, "codec");
  }

  /** As {@link #receive}, with headers, time to live left, and propagated context entries. */
  public <T> Flux<Envelope<T>> receiveEnvelopes(String name, Codec<T> codec) {
    String codecName = checked(name, codec);
    return Flux.defer(() -> {
      // Written and read on the engine thread.
      AtomicReference<Map<String, String>> context = new AtomicReference<>(Map.of());
      return ReceivePipeline.assemble(
          new InboundFlux(channel, name, codecName, context::set),
          Enveloped.incoming(codec, context::get));
    });
  }

  /**
   * Receives a stream of raw bytes as messages the subscriber owns and must close. Demand beyond what
   * the node's message budget can hold waits until messages are closed; one that holds none gets one.
   * Operators of the subscriber that drop messages need {@code doOnDiscard(Message.class,
   * Message::close)} behind them.
   */
  public Flux<Message> receiveMessages(String name) {
    Objects.requireNonNull(name, "name");
    InboundFlux frames = new InboundFlux(channel, name, Messages.CODEC);
    return new BudgetedFlux(frames, name, node.messages(), channel.engine())
        .doOnDiscard(Message.class, Message::close);
  }

  /**
   * Sends a request for every subscription; empty when the responder's result is. Of a route that is answered by
   * a stream the one reply is told when that ends, when a flyweight is not valid any more; a second one is an error.
   */
  public <Q, R> Mono<R> request(Route<Q, R> route, Q request) {
    requireRequest(route, request);
    return propagatesContext()
        ? envelopedReply(route, Envelope.of(request))
        : reply(route, request, Outgoing.plain(route.requestCodec()));
  }

  /**
   * As {@link #request} with headers and a time to live, after which it fails with {@link
   * DeadlineExceededException} here and is cancelled over there. That is told by a thread of Reactor's timers,
   * {@code Schedulers.parallel()}, and so even when the engine is kept from it.
   */
  public <Q, R> Mono<R> request(Route<Q, R> route, Envelope<Q> request) {
    Mono<R> reply = envelopedReply(route, request);
    Duration bound = request.timeToLive();
    return bound == null ? reply : reply.timeout(bound, Mono.error(() -> expired(route, bound)));
  }

  /** Sends a request whose replies are a stream; demand reaches the responder. */
  public <Q, R> Flux<R> requestStream(Route<Q, R> route, Q request) {
    return replies(route, request);
  }

  /** As {@link #requestStream}; the time to live bounds the wait for the first reply, and is told likewise. */
  public <Q, R> Flux<R> requestStream(Route<Q, R> route, Envelope<Q> request) {
    Flux<R> replies = envelopedReplies(route, request);
    Duration bound = request.timeToLive();
    return bound == null
        ? replies
        : replies.timeout(
            Mono.delay(bound), reply -> Mono.never(), Flux.error(() -> expired(route, bound)));
  }

  private DeadlineExceededException expired(Route<?, ?> route, Duration bound) {
    return new DeadlineExceededException("request '" + route.name() + "' to "
        + channel.description() + " was not answered within " + bound.toMillis() + " ms");
  }

  private boolean propagatesContext() {
    return !node.settings().contextKeys().isEmpty();
  }

  private static void requireRequest(Route<?, ?> route, Object request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
  }

  private <Q, R> Flux<R> replies(Route<Q, R> route, Q request) {
    requireRequest(route, request);
    return propagatesContext()
        ? envelopedReplies(route, Envelope.of(request))
        : replies(route, request, Outgoing.plain(route.requestCodec()));
  }

  private <Q, R> Flux<R> envelopedReplies(Route<Q, R> route, Envelope<Q> request) {
    requireRequest(route, request);
    return Flux.deferContextual(
        context -> replies(route, request, enveloped(route.requestCodec(), context)));
  }

  private <Q, R> Mono<R> envelopedReply(Route<Q, R> route, Envelope<Q> request) {
    requireRequest(route, request);
    return Mono.deferContextual(
        context -> reply(route, request, enveloped(route.requestCodec(), context)));
  }

  private <Q> Outgoing<Envelope<Q>> enveloped(Codec<Q> codec, ContextView context) {
    return Enveloped.outgoing(codec, node.settings().pick(context));
  }

  private <V, R> Flux<R> replies(Route<?, R> route, V request, Outgoing<V> outgoing) {
    return ReceivePipeline.assemble(
        frames(route, request, outgoing), Incoming.plain(route.replyCodec()));
  }

  private <V, R> Mono<R> reply(Route<?, R> route, V request, Outgoing<V> outgoing) {
    return ReceivePipeline.assembleSingle(
        frames(route, request, outgoing), Incoming.plain(route.replyCodec()));
  }

  private <V> ReplyFlux<V> frames(Route<?, ?> route, V request, Outgoing<V> outgoing) {
    return new ReplyFlux<>(channel, key(route), request, outgoing);
  }

  private static Exchanges.RouteKey key(Route<?, ?> route) {
    return new Exchanges.RouteKey(
        route.name(), route.requestCodec().name(), route.replyCodec().name());
  }

  /**
   * Drains: producers of this side stop, what they handed over is delivered, requests under way are
   * answered and those that come refused, then both sides part. After the drain bound the rest is given up.
   *
   * @return completes when the peer is gone; fails when something was given up
   */
  public Mono<Void> close() {
    return Mono.create(sink -> channel.engine().execute(() -> close(sink)));
  }

  private void close(MonoSink<Void> sink) {
    if (channel.state() == ChannelState.CLOSED) {
      // However it ended: there was nothing left to give up.
      sink.success();
      return;
    }
    channel.close(failure -> {
      boolean lost = failure != null && failure.kind() != StreamFailure.Kind.CLOSED;
      if (failure == null || lost) {
        sink.success();
      } else {
        sink.error(channel.closedError(failure.text()));
      }
    });
  }

  /** Ends the session at once. */
  public void abort() {
    channel
        .engine()
        .execute(() -> channel.abort("peer '" + name() + "' was aborted by " + node.name()));
  }

  /** Completes when the session ended, for whatever reason. */
  public Mono<Void> onClose() {
    return closed.asMono();
  }

  @Override
  public String toString() {
    return "Peer '" + name() + "' of " + node;
  }
}
