package io.railflux;

import io.railflux.budget.BudgetedFlux;
import io.railflux.budget.Messages;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import io.railflux.message.Message;
import io.railflux.message.Receipt;
import io.railflux.metrics.ChannelStatus;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.RequestTimes;
import io.railflux.metrics.StreamStatus;
import io.railflux.metrics.StripingGain;
import io.railflux.pipeline.Enveloped;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

// More than 400 lines: public API: more than half of the lines are its documentation.
/**
 * Another node, as this node sees it during one session: ordered streams in both directions, delivered exactly once.
 * A restarted process is another peer; the streams of the former one fail.
 *
 * <p>Any thread may call any method. An operation starts when its result is subscribed to. Subscribers receive their
 * subscription on the subscribing thread before {@code subscribe} returns. All other signals arrive on the engine
 * thread, which subscribers must not block. The time-out of a request is the exception: a thread of {@code
 * Schedulers.parallel()} signals it.
 */
public final class Peer {

  private static final Logger LOG = LoggerFactory.getLogger(Peer.class);

  /**
   * The parts of a node that its peers use.
   *
   * @param messages memory of owned messages
   * @param requestTimes receives the durations of requests; null without a meter registry
   */
  record Services(
      NodeConfig config,
      RailEvents railEvents,
      PathResolver paths,
      Messages messages,
      @Nullable RequestTimes requestTimes) {}

  private final Services services;
  private final VirtualChannel channel;
  private final String reason;
  // Routes of forgotten requests whose rejection was logged. Engine thread only.
  private final Set<String> rejectedRoutes = new HashSet<>();
  private final Sinks.Empty<Void> closed = Sinks.empty();

  /** @param reason reason for the choice of rails, as text for people */
  Peer(Services services, VirtualChannel channel, String reason) {
    this.services = services;
    this.channel = channel;
    this.reason = reason;
    channel.onEnd(failure -> {
      services.railEvents().ended(channel);
      closed.tryEmitEmpty();
    });
  }

  /**
   * Returns the name of the remote node.
   *
   * @return the name that the peer sent in the handshake
   */
  public String name() {
    return channel.peerName();
  }

  /**
   * Describes the connection as text for people: the current rails, their protection and the reason of their choice;
   * one line for each present or lost path with its traffic; the reason if several rails bring no gain; the message
   * channels, see {@link #channel}; and one line for each stream, see {@link #streams}. The format may change.
   *
   * @return several lines of text
   */
  public String explain() {
    String line = reach();
    List<RailStatus> rails = channel.rails();
    String missing = StripingGain.missing(rails);
    return rails.stream().map(rail -> "\n  " + rail).collect(Collectors.joining("", line, ""))
        + (missing.isEmpty() ? "" : "\n  several rails bring no gain: " + missing)
        + "\n  "
        + channel()
        + channel.explainStreams(System.nanoTime());
  }

  /**
   * Returns the message channels in both directions: which, since when and why.
   *
   * @return a snapshot
   */
  public ChannelStatus channel() {
    return channel.channelStatus(System.nanoTime());
  }

  /** Returns the first line of {@link #explain}. */
  String reach() {
    return "'" + name() + "' " + channel.explainRails() + "; " + reason;
  }

  /**
   * Returns the state of every path to the peer, including lost paths.
   *
   * @return a snapshot
   */
  public List<RailStatus> rails() {
    return channel.rails();
  }

  /**
   * Returns the state of every stream with the peer and of every route with open requests: its demand, how long no
   * message has moved, and what the next message waits for. Streams that only one side knows come first.
   *
   * @return a snapshot; empty after the end of the session
   */
  public List<StreamStatus> streams() {
    return channel.streamStatus(System.nanoTime());
  }

  /**
   * Emits the events of the paths to this peer from the subscription on, see {@link Node#railEvents}.
   *
   * @return the events, on the engine thread
   */
  @CheckReturnValue
  public Flux<RailEvent> railEvents() {
    return services.railEvents().flux(new RailEvents.OfOne(channel));
  }

  /**
   * Connects to the peer at further addresses. Running streams use the new rails as soon as they are connected. The
   * node retries until the session ends, even after the result is cancelled.
   *
   * @param addresses one address, or several separated by commas, as for {@link Node#connect}
   * @return completion, when all rails are connected. Signals {@link IllegalStateException} if the peer connected to
   *     this node, because only the connecting side knows the addresses
   */
  @CheckReturnValue
  public Mono<Void> addRail(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return Mono.create(sink -> channel.engine().execute(() -> {
      try {
        services.paths().add(channel, addresses, sink);
        Runnable settled =
            channel.onEnd(failure -> sink.error(channel.closedError("addRail " + addresses)));
        // Rails may be added during the whole session, so cancelled subscribers must not
        // accumulate.
        sink.onDispose(() -> channel.engine().execute(settled));
      } catch (Throwable e) {
        sink.error(e);
      }
    }));
  }

  /**
   * Closes the connections to addresses of the peer. Their frames continue over other rails without loss.
   *
   * @param addresses one address, or several separated by commas
   * @return completion. Signals {@link IllegalArgumentException} if no rail leads to an address, or if no other rail
   *     is connected
   */
  @CheckReturnValue
  public Mono<Void> removeRail(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return onEngine(() -> {
      services.paths().remove(channel, addresses);
      return null;
    });
  }

  /**
   * Replaces the striping policy of this peer.
   *
   * @param policy the policy; must not serve another peer
   * @return completion, when the policy is in effect. Signals {@link io.railflux.exceptions.PeerClosedException} or
   *     {@link io.railflux.exceptions.PeerUnreachableException} after the end of the session
   */
  @CheckReturnValue
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

  /**
   * Returns the message limit of the session.
   *
   * @return the smaller limit of both nodes, in bytes
   */
  public int maxMessageBytes() {
    return channel.maxMessageBytes();
  }

  /**
   * Sends {@code values} as the stream {@code name}, within the demand of the remote subscriber. Several streams may
   * be open at the same time, one per name. Messages arrive in order and exactly once.
   *
   * <p>A value must not change until it is encoded, at the latest when its message is acknowledged. A synchronous
   * source may emit the same mutable value repeatedly. Large buffers of {@code Codecs.byteBuffer()} are lent until
   * acknowledged; they belong to the caller again when the result completes or fails. Cancelling the result ends the
   * stream at the peer with an error.
   *
   * @param <T> type of the values
   * @param name name of the stream, 1 to 255 bytes of UTF-8 without control characters
   * @param codec codec that the receiver uses too; {@code encode} runs on the engine thread
   * @param values source of the values, subscribed to with every subscription of the result
   * @return completion, when the peer has acknowledged all messages. Signals the error of {@code values}, which the
   *     remote subscriber receives as {@link io.railflux.exceptions.RemoteStreamException}; {@link
   *     io.railflux.exceptions.StreamCancelledException} if the remote subscriber cancels; {@link
   *     io.railflux.exceptions.StreamRejectedException} if the peer rejects name or codec; {@link
   *     io.railflux.exceptions.MessageTooLargeException} for a message beyond the limit; and {@link
   *     io.railflux.exceptions.DeliveryUnknownException} if the peer is lost
   */
  @CheckReturnValue
  public <T> Mono<Void> send(String name, Codec<T> codec, Publisher<? extends T> values) {
    return deliver(name, codec, values, Outgoing.plain(name, codec));
  }

  /**
   * Sends messages with headers and a time to live, see {@link #send}. A message whose time to live elapses before it
   * is written is not sent.
   *
   * @param <T> type of the payloads
   * @param name name of the stream
   * @param codec codec of the payloads
   * @param values source of the envelopes; their context is ignored
   * @return completion and errors as for {@link #send}
   */
  @CheckReturnValue
  public <T> Mono<Void> sendEnvelopes(String name, Codec<T> codec, Publisher<Envelope<T>> values) {
    return deliver(name, codec, values, Enveloped.outgoing(name, codec, Map.of()));
  }

  /**
   * Sends a stream that begins at the position of its receiver: {@code source} is called with the position of the
   * remote subscriber, once that subscriber requests the first message. A receiver that stores its position thus
   * receives every message exactly once over restarts of both sides, see {@link #receiveFrom}. A subscriber without a
   * position begins at 0.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec that the receiver uses too
   * @param source creates the publisher of the values from a position on; called on the engine thread, must not block
   * @return completion and errors as for {@link #send}
   */
  @CheckReturnValue
  public <T> Mono<Void> sendFrom(
      String name, Codec<T> codec, LongFunction<? extends Publisher<? extends T>> source) {
    Objects.requireNonNull(source, "source");
    return sendFrom(new Sending.Start(true, false), name, codec, source);
  }

  /**
   * Sends a stream as {@link #sendFrom} does, which the peer may leave unreceived.
   *
   * @param positioned whether the receiver may give a position
   */
  <T> Mono<Void> offer(
      String name,
      Codec<T> codec,
      boolean positioned,
      LongFunction<? extends Publisher<? extends T>> source) {
    return sendFrom(new Sending.Start(positioned, true), name, codec, source);
  }

  private <T> Mono<Void> sendFrom(
      Sending.Start start,
      String name,
      Codec<T> codec,
      LongFunction<? extends Publisher<? extends T>> source) {
    String codecName = checked(name, codec);
    return Mono.create(sink -> {
      Sending<T> sending =
          new Sending<>(services.config(), channel, name, codecName, Outgoing.plain(name, codec));
      sending.startOnDemand(start, source, sink.contextView(), new Sending.End(sink));
      sink.onCancel(sending::cancel);
    });
  }

  private <T> Mono<Void> deliver(
      String name, Codec<?> codec, Publisher<? extends T> values, Outgoing<T> outgoing) {
    String codecName = checked(name, codec);
    Objects.requireNonNull(values, "values");
    return Mono.create(sink -> {
      Sending<T> sending = new Sending<>(services.config(), channel, name, codecName, outgoing);
      sending.start(values, sink.contextView(), new Sending.End(sink));
      sink.onCancel(sending::cancel);
    });
  }

  /**
   * Sends a stream like {@link #send} and reports the outcome of each message in order. Receipts without demand are
   * counted, not queued. More than 65,536 receipts of expired messages without demand fail the send with an overflow.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec of the values
   * @param values source of the values
   * @return one receipt per message, on the engine thread; completes and fails as {@link #send} does
   */
  @CheckReturnValue
  public <T> Flux<Receipt> sendWithReceipts(
      String name, Codec<T> codec, Publisher<? extends T> values) {
    return receipts(name, codec, values, Outgoing.plain(name, codec));
  }

  /**
   * Sends messages with headers and a time to live, and reports the outcome of each, see {@link #sendWithReceipts}.
   *
   * @param <T> type of the payloads
   * @param name name of the stream
   * @param codec codec of the payloads
   * @param values source of the envelopes; their context is ignored
   * @return one receipt per message, on the engine thread; completes and fails as {@link #send} does
   */
  @CheckReturnValue
  public <T> Flux<Receipt> sendEnvelopesWithReceipts(
      String name, Codec<T> codec, Publisher<Envelope<T>> values) {
    return receipts(name, codec, values, Enveloped.outgoing(name, codec, Map.of()));
  }

  private <T> Flux<Receipt> receipts(
      String name, Codec<?> codec, Publisher<? extends T> values, Outgoing<T> outgoing) {
    String codecName = checked(name, codec);
    Objects.requireNonNull(values, "values");
    return new ReceiptFlux(
        (context, delivery) -> {
          Sending<T> sending = new Sending<>(services.config(), channel, name, codecName, outgoing);
          sending.start(values, context, delivery);
          return sending::cancel;
        },
        channel.engine());
  }

  /**
   * Receives the stream {@code name} of this peer, before or after the peer announces it. The demand of the
   * subscriber reaches the remote producer. A stream has one subscriber per name at a time; the next subscription
   * receives the next stream of that name.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec that the sender uses too; {@code decode} runs on the engine thread
   * @return the values in order, on the engine thread. A flyweight is valid until {@code onNext} returns. Completes
   *     when the producer completes. Signals {@link io.railflux.exceptions.RemoteStreamException} if the producer
   *     fails, {@link io.railflux.exceptions.StreamRejectedException} if the codecs differ, {@link
   *     io.railflux.exceptions.PeerClosedException} after a close, and {@link
   *     io.railflux.exceptions.PeerUnreachableException} if the peer is lost
   */
  @CheckReturnValue
  public <T> Flux<T> receive(String name, Codec<T> codec) {
    return ReceivePipeline.assemble(
        new PeerFlux.Messages(channel.streams(), name, checked(name, codec)),
        Incoming.plain(codec));
  }

  /**
   * Receives a stream from a position on. The position is a number that the sender's source understands, usually the
   * number of messages that the receiver has processed.
   *
   * @param <T> type of the values
   * @param name name of the stream; the sender uses {@link #sendFrom} or {@link Node#publishFrom}
   * @param codec codec that the sender uses too
   * @param position where the stream begins, at least 0
   * @return the values as for {@link #receive}. Signals {@link io.railflux.exceptions.StreamRejectedException} for a
   *     position above 0 if the sender offers no positions
   * @throws IllegalArgumentException if the position is negative
   */
  @CheckReturnValue
  public <T> Flux<T> receiveFrom(String name, Codec<T> codec, long position) {
    String codecName = checked(name, codec);
    if (position < 0) {
      throw new IllegalArgumentException("position must be at least 0, was " + position);
    }
    return ReceivePipeline.assemble(
        new PeerFlux.Messages(channel.streams(), name, codecName, position, context -> {}),
        Incoming.plain(codec));
  }

  /** Fails for the caller, not for a subscriber. Returns the name of the codec. */
  private static String checked(String name, Codec<?> codec) {
    Objects.requireNonNull(name, "name");
    return Route.codecName(codec, "codec");
  }

  /**
   * Receives a stream with headers, remaining time to live and propagated context, see {@link #receive}.
   *
   * @param <T> type of the payloads
   * @param name name of the stream
   * @param codec codec of the payloads
   * @return the envelopes in order, on the engine thread
   */
  @CheckReturnValue
  public <T> Flux<Envelope<T>> receiveEnvelopes(String name, Codec<T> codec) {
    String codecName = checked(name, codec);
    return Flux.defer(() -> {
      // Written and read on the engine thread.
      AtomicReference<Map<String, String>> context = new AtomicReference<>(Map.of());
      return ReceivePipeline.assemble(
          new PeerFlux.Messages(channel.streams(), name, codecName, 0, context::set),
          Enveloped.incoming(codec, context::get));
    });
  }

  /**
   * Receives a stream of raw bytes as messages that the subscriber owns. Demand beyond the message budget of the node
   * waits until messages are closed; a stream without an open message always receives one. Cancelling the
   * subscription releases all its messages at once. Messages that operators drop on cancellation therefore need no
   * {@code doOnDiscard}. {@link Message} defines how long a message stays readable.
   *
   * @param name name of the stream; the sender uses {@code Codecs.bytes()} or {@code Codecs.byteBuffer()}
   * @return the messages in order, on the engine thread; the subscriber closes each. Completes and fails as {@link
   *     #receive} does
   */
  @CheckReturnValue
  public Flux<Message> receiveMessages(String name) {
    Objects.requireNonNull(name, "name");
    PeerFlux.Messages frames = new PeerFlux.Messages(channel.streams(), name, Messages.CODEC);
    return new BudgetedFlux(frames, name, services.messages(), channel.engine());
  }

  /**
   * Sends a request for one reply; each subscription sends another request. If the peer replies with a stream, the
   * reply is emitted when that stream completes, and a second reply is an error. Such a reply must not be a
   * flyweight. Cancelling the result cancels the handler. Without a reply within {@link Railflux#requestTimeout} the
   * result fails and the handler is cancelled.
   *
   * @param <Q> type of the request
   * @param <R> type of the reply
   * @param route name and codecs of the service
   * @param request the request; must not change until the reply arrives
   * @return the reply, on the engine thread; empty if the handler's result is empty. Signals {@link
   *     io.railflux.exceptions.RemoteStreamException} if the handler fails, {@link
   *     io.railflux.exceptions.StreamRejectedException} if the peer rejects the request, {@link
   *     io.railflux.exceptions.PeerClosedException} after a close, {@link
   *     io.railflux.exceptions.PeerUnreachableException} if the peer is lost, and {@link DeadlineExceededException}
   *     after the time-out
   */
  @CheckReturnValue
  public <Q, R> Mono<R> request(Route<Q, R> route, Q request) {
    return request(route, request, services.config().requestTimeoutNanos());
  }

  /** @param patienceNanos longest wait for the reply; 0 for any */
  <Q, R> Mono<R> request(Route<Q, R> route, Q request, long patienceNanos) {
    requireRequest(route, request);
    return timed(
        route,
        propagatesContext()
            ? reply(route, Envelope.of(request), enveloped(route), patienceNanos)
            : reply(route, request, plain(route), patienceNanos));
  }

  private <R> Mono<R> timed(Route<?, R> route, Mono<R> reply) {
    RequestTimes times = services.requestTimes();
    return times == null ? reply : RequestTiming.ofRequest(reply, times, route.name());
  }

  /**
   * Sends a request with headers and a time to live. After the time to live the result fails and the handler is
   * cancelled. A thread of {@code Schedulers.parallel()} signals that failure, even while the engine thread is held
   * up.
   *
   * @param <Q> type of the request
   * @param <R> type of the reply
   * @param route name and codecs of the service
   * @param request the request with headers and time to live; its context is ignored
   * @return the reply as for {@link #request(Route, Object)}. Signals {@link DeadlineExceededException} after the
   *     time to live
   */
  @CheckReturnValue
  public <Q, R> Mono<R> request(Route<Q, R> route, Envelope<Q> request) {
    requireRequest(route, request);
    Duration bound = request.timeToLive();
    Mono<R> reply = reply(route, request, enveloped(route), patienceNanos(bound));
    return timed(
        route,
        bound == null ? reply : reply.timeout(bound, Mono.error(() -> expired(route, bound))));
  }

  /**
   * Sends a request for a stream of replies. The demand of the subscriber reaches the handler. Cancelling the result
   * cancels the handler. {@link Railflux#requestTimeout} bounds the wait for the first reply, once it is requested.
   *
   * @param <Q> type of the request
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param request the request; must not change until the first reply arrives
   * @return the replies in order, on the engine thread; fails as {@link #request(Route, Object)} does
   */
  @CheckReturnValue
  public <Q, R> Flux<R> requestStream(Route<Q, R> route, Q request) {
    return requestStream(route, request, services.config().requestTimeoutNanos());
  }

  /** @param patienceNanos longest wait for the first reply; 0 for any */
  <Q, R> Flux<R> requestStream(Route<Q, R> route, Q request, long patienceNanos) {
    requireRequest(route, request);
    return propagatesContext()
        ? replies(route, Envelope.of(request), enveloped(route), patienceNanos)
        : replies(route, request, plain(route), patienceNanos);
  }

  /**
   * Sends a request for a stream of replies with headers and a time to live, which bounds the wait for the first
   * reply.
   *
   * @param <Q> type of the request
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param request the request with headers and time to live; its context is ignored
   * @return the replies in order, on the engine thread. Signals {@link DeadlineExceededException} by a thread of
   *     {@code Schedulers.parallel()} if no reply arrives within the time to live
   */
  @CheckReturnValue
  public <Q, R> Flux<R> requestStream(Route<Q, R> route, Envelope<Q> request) {
    requireRequest(route, request);
    Duration bound = request.timeToLive();
    Flux<R> replies = replies(route, request, enveloped(route), patienceNanos(bound));
    return bound == null
        ? replies
        : replies.timeout(
            Mono.delay(bound), reply -> Mono.never(), Flux.error(() -> expired(route, bound)));
  }

  /**
   * Sends a request and ignores its replies. The request takes one of the {@link Railflux#maxExchanges} places until the
   * handler has finished.
   *
   * @param <Q> type of the request
   * @param route name and codecs of the service
   * @param request the request; must not change until the result completes
   * @return completion, when the request is sent. Errors before that are as for {@link #request(Route, Object)}; a later
   *     error of the handler is logged at debug level only, a rejection of the route once as a warning
   */
  @CheckReturnValue
  public <Q> Mono<Void> fireAndForget(Route<Q, ?> route, Q request) {
    requireRequest(route, request);
    return Mono.create(sink -> {
      Outgoing<Q> outgoing = Outgoing.plain(route.name(), route.requestCodec());
      Disposable sending = new PeerFlux.Replies<>(
              channel.streams(), key(route), request, outgoing, 0, sink::success)
          .contextWrite(sink.contextView())
          .subscribe(
              reply -> {},
              error -> {
                reportForgotten(route, error);
                sink.error(error);
              },
              sink::success);
      // The sink is open only until the request is sent.
      sink.onCancel(sending);
    });
  }

  /** Reports the failure of a request that no one awaits; a rejection once for each route. Engine thread. */
  private void reportForgotten(Route<?, ?> route, Throwable error) {
    boolean isNew = error instanceof StreamRejectedException && rejectedRoutes.add(route.name());
    LOG.atLevel(isNew ? Level.WARN : Level.DEBUG)
        .log(
            "request '{}' to {}, sent without waiting for a reply, failed: {}",
            route.name(),
            channel.description(),
            error.getMessage());
  }

  /**
   * Opens a channel: sends values and receives replies, each within the demand of its receiver.
   *
   * @param <Q> type of the values
   * @param <R> type of the replies
   * @param route name and codecs of the service, which the peer serves with {@link Node#respondChannel}
   * @param values source of the values, subscribed to with every subscription of the result; cancelled when the replies
   *     end. The handler receives its error
   * @return the replies in order, on the engine thread; fails as {@link #requestStream(Route, Object)} does. Cancelling
   *     it cancels {@code values}
   */
  @CheckReturnValue
  public <Q, R> Flux<R> requestChannel(Route<Q, R> route, Publisher<? extends Q> values) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(values, "values");
    return Flux.defer(() -> {
      String name = Route.ChannelCodec.streamName(route.name());
      // Other errors of the values reach the handler, which decides about the replies.
      Mono<Void> refusal = send(name, route.requestCodec(), values)
          .onErrorResume(
              error -> error instanceof StreamRejectedException ? Mono.error(error) : Mono.never())
          .then(Mono.never());
      return requestStream(route.ofChannels(), name).takeUntilOther(refusal);
    });
  }

  /** The time to live of a request replaces the time-out of the node. */
  private long patienceNanos(@Nullable Duration timeToLive) {
    return timeToLive == null ? services.config().requestTimeoutNanos() : 0;
  }

  private DeadlineExceededException expired(Route<?, ?> route, Duration bound) {
    return new DeadlineExceededException("request '" + route.name() + "' to "
        + channel.description() + " was not answered within " + bound.toMillis() + " ms");
  }

  private boolean propagatesContext() {
    return !services.config().contextKeys().isEmpty();
  }

  private static void requireRequest(Route<?, ?> route, Object request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
  }

  private <Q> Outgoing<Envelope<Q>> enveloped(Route<Q, ?> route) {
    return Enveloped.outgoing(route.name(), route.requestCodec(), services.config()::pick);
  }

  private static <Q> Outgoing<Q> plain(Route<Q, ?> route) {
    return Outgoing.plain(route.name(), route.requestCodec());
  }

  private <V, R> Flux<R> replies(
      Route<?, R> route, V request, Outgoing<V> outgoing, long patienceNanos) {
    return ReceivePipeline.assemble(
        frames(route, request, outgoing, patienceNanos), Incoming.plain(route.replyCodec()));
  }

  private <V, R> Mono<R> reply(
      Route<?, R> route, V request, Outgoing<V> outgoing, long patienceNanos) {
    return ReceivePipeline.assembleSingle(
        frames(route, request, outgoing, patienceNanos), Incoming.plain(route.replyCodec()));
  }

  private <V> PeerFlux.Replies<V> frames(
      Route<?, ?> route, V request, Outgoing<V> outgoing, long patienceNanos) {
    return new PeerFlux.Replies<>(
        channel.streams(), key(route), request, outgoing, patienceNanos, () -> {});
  }

  private static Exchanges.RouteKey key(Route<?, ?> route) {
    return new Exchanges.RouteKey(
        route.name(), route.requestCodec().name(), route.replyCodec().name());
  }

  /**
   * Drains and closes the session: producers of this side stop, their emitted messages are delivered, requests in
   * progress are answered, and new requests are rejected. After {@link Railflux#drainTimeout} the remaining messages
   * are given up. Idempotent.
   *
   * @return completion, when the session has ended. Signals {@link io.railflux.exceptions.PeerClosedException} if
   *     messages were given up
   */
  @CheckReturnValue
  public Mono<Void> close() {
    return Mono.create(sink -> channel.engine().execute(() -> close(sink)));
  }

  private void close(MonoSink<Void> sink) {
    if (channel.state() == SessionLifecycle.State.CLOSED) {
      // The session has ended, so no message is given up now.
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

  /** Ends the session at once. The outcome of unacknowledged messages is unknown to their senders. Idempotent. */
  public void abort() {
    channel
        .engine()
        .execute(() -> channel.abort(
            "peer '" + name() + "' was aborted by " + services.config().name(),
            "it aborted the session"));
  }

  /**
   * Signals the end of the session for any reason.
   *
   * @return completion, when the session has ended
   */
  @CheckReturnValue
  public Mono<Void> onClose() {
    return Mono.create(sink -> channel
        .engine()
        .execute(
            () -> sink.onDispose(closed.asMono().subscribe(null, sink::error, sink::success))));
  }

  /**
   * Signals that the session takes no new work: the peer or this side drains, or the session has ended. What is under
   * way finishes until {@link #onClose}.
   *
   * @return completion, when either side begins to close
   */
  @CheckReturnValue
  public Mono<Void> onClosing() {
    return Mono.create(sink -> channel.engine().execute(() -> {
      Runnable remove = channel.onClosing(sink::success);
      sink.onDispose(() -> channel.engine().execute(remove));
    }));
  }

  /** Reports that the session takes no new work any more. Returns an action that ends the watch. Engine thread. */
  Runnable watchClosing(Runnable closing) {
    return channel.onClosing(closing);
  }

  /** Reports changes of the session's fitness for new work. Engine thread. */
  void watch(Runnable closing, Runnable paused, Runnable resumed) {
    channel.onClosing(closing);
    services.railEvents().listen(new RailEvents.OfOne(channel), event -> {
      switch (event.kind()) {
        case PAUSED -> paused.run();
        case RESUMED -> resumed.run();
        default -> {}
      }
    });
  }

  @Override
  public String toString() {
    return "Peer '" + name() + "' of Node '" + services.config().name() + "'";
  }
}
