package io.railflux;

import io.railflux.address.Address;
import io.railflux.engine.base.Guarded;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.exceptions.RailfluxException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import io.railflux.policy.Balancing;
import io.railflux.policy.RemoteOptions;
import io.railflux.remote.Backoff;
import io.railflux.remote.InstanceResolver;
import io.railflux.remote.SessionPool;
import io.railflux.remote.SessionPool.Member;
import io.railflux.remote.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

// More than 400 lines: public API: more than half of the lines are its documentation.
/**
 * A place in the network, regardless of the node that runs there. While a {@link Peer} ends with its session, a remote
 * survives restarts of the nodes at its addresses: it connects on first use, connects again after each end of a
 * session, with backoff and jitter, and looks host names up anew each time.
 *
 * <p>Work that begins while there is no session waits for one. A node that drains, or has lost all its rails, gets no
 * new work if another instance can take it.
 *
 * <p>Any thread may call any method. Signals arrive on the engine thread of the node, which subscribers must not block.
 */
public final class Remote {

  // What is left of it stays beyond the bound of patient waits.
  private static final Duration WITHOUT_BOUND = Duration.ofNanos(2 * SessionPool.PATIENT_NANOS);

  /** Time before the attempt at the next alternative begins, as for the addresses of {@link Node#connect}. */
  private static final Duration HEAD_START = Duration.ofMillis(250);

  /** The operations of a node that its remotes use. */
  record Access(
      String node,
      Function<String, Mono<Peer>> connect,
      Ticks ticks,
      Executor engine,
      Scheduler scheduler,
      Duration requestBound) {}

  private final Access node;
  private final String addresses;
  private final SessionPool<Peer> pool;
  private final boolean counting;

  // Engine thread only.
  private final List<FluxSink<Peer>> listeners = new ArrayList<>();
  private Runnable stopListener = () -> {};

  /** @param places the addresses, which have the form that {@link Node#remote} describes */
  Remote(Access node, List<Address> places, RemoteOptions options) {
    this.node = node;
    this.addresses = places.stream().map(Address::toString).collect(Collectors.joining(","));
    this.counting = options.balancing() == Balancing.LEAST_OUTSTANDING;
    Backoff backoff =
        new Backoff(options.minBackoff().toNanos(), options.maxBackoff().toNanos());
    SessionPool.Spec<Peer> spec = new SessionPool.Spec<>(
        addresses, this::connector, options.balancing(), backoff, options.failFast());
    SessionPool.Resolver resolver = options.balancing() == Balancing.NONE
        ? (found, failed) -> execute(() -> found.accept(List.of(addresses)))
        : new InstanceResolver(places, Schedulers.boundedElastic()::schedule, node.engine());
    this.pool = new SessionPool<>(spec, node.ticks(), resolver, this::joined);
  }

  /** Returns the addresses of each attempt: all of them as rails of one node, or each of them alone. */
  static List<List<Address>> attempts(List<Address> places, RemoteOptions options) {
    boolean alone =
        options.balancing() != Balancing.NONE || places.stream().allMatch(Address::isAuto);
    return alone ? places.stream().map(List::of).toList() : List.of(places);
  }

  private SessionPool.Connector<Peer> connector(String instance) {
    List<Address> parts = Address.parseAll(instance);
    return (established, failed) -> {
      Disposable attempt = connect(parts).subscribe(established, failed);
      return attempt::dispose;
    };
  }

  /** Connects along all addresses as rails of one node, or to the first alternative that answers. */
  private Mono<Peer> connect(List<Address> parts) {
    if (parts.size() == 1 || parts.stream().noneMatch(Address::isAuto)) {
      return node.connect().apply(text(parts));
    }
    AtomicReference<Peer> first = new AtomicReference<>();
    List<Mono<Peer>> attempts = new ArrayList<>();
    for (Address part : parts) {
      Duration headStart = HEAD_START.multipliedBy(attempts.size());
      attempts.add(Mono.delay(headStart, node.scheduler())
          .then(node.connect().apply(part.toString()))
          .filter(peer -> isFirst(first, peer)));
    }
    return Mono.firstWithValue(attempts).onErrorMap(Remote::unreachable);
  }

  private static String text(List<Address> parts) {
    return parts.stream().map(Address::toString).collect(Collectors.joining(","));
  }

  /** Ends the session of an alternative that connected after another alternative. */
  private static boolean isFirst(AtomicReference<Peer> first, Peer peer) {
    boolean isFirst = first.compareAndSet(null, peer);
    if (!isFirst) {
      peer.abort();
    }
    return isFirst;
  }

  /** Replaces the error of {@link Mono#firstWithValue}, whose message does not name the causes. */
  private static Throwable unreachable(Throwable all) {
    if (!(all instanceof NoSuchElementException) || all.getCause() == null) {
      return all;
    }
    String causes = Exceptions.unwrapMultiple(all.getCause()).stream()
        .map(Throwable::getMessage)
        .collect(Collectors.joining("; "));
    return new PeerUnreachableException(causes, all);
  }

  /** Receives a new session. Engine thread. */
  private void joined(Peer peer) {
    peer.watch(() -> pool.retire(peer), () -> pool.suspend(peer), () -> pool.resume(peer));
    Guarded.each("sessions", listeners, listener -> listener.next(peer));
  }

  /**
   * Sends a request for one reply, see {@link Peer#request(Route, Object)}. Without a session the request waits for one
   * within {@link Railflux#requestTimeout}.
   *
   * <p>After the end of a session the request is sent again to the next one if it did not reach a handler, or if the
   * route is {@linkplain Route#asIdempotent() idempotent}.
   *
   * @param <Q> type of the request
   * @param <R> type of the reply
   * @param route name and codecs of the service
   * @param request the request; must not change until the reply arrives
   * @return the reply; fails as {@link Peer#request(Route, Object)} does, and with {@link PeerUnreachableException} if
   *     there is no session in time
   */
  @CheckReturnValue
  public <Q, R> Mono<R> request(Route<Q, R> route, Q request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    return once(
        route, node.requestBound(), (peer, left) -> peer.request(route, request, left.toNanos()));
  }

  /**
   * Sends a request with headers and a time to live, see {@link #request(Route, Object)}. The time to live includes the
   * wait for a session.
   *
   * @param <Q> type of the request
   * @param <R> type of the reply
   * @param route name and codecs of the service
   * @param request the request with headers and time to live; its context is ignored
   * @return the reply, as for {@link #request(Route, Object)}
   */
  @CheckReturnValue
  public <Q, R> Mono<R> request(Route<Q, R> route, Envelope<Q> request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    Duration bound = request.timeToLive();
    return bound == null
        ? once(route, node.requestBound(), (peer, left) -> peer.request(route, request))
        : once(route, bound, (peer, left) -> peer.request(route, request.withTimeToLive(left)));
  }

  /** One attempt over a session, within the time that is left. */
  private interface Attempt<R> {
    Mono<R> over(Peer peer, Duration left);
  }

  /** The time that a request may take, over all its attempts. */
  private record Budget(long begunNanos, long untilNanos) {

    static Budget of(Duration bound) {
      long now = System.nanoTime();
      return new Budget(now, now + bound.toNanos());
    }

    Duration left() {
      return Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime()));
    }

    boolean isSpent() {
      return untilNanos - System.nanoTime() <= 0;
    }

    /** Adds the time before the attempt to the message, unless it is negligible. */
    Throwable expired(DeadlineExceededException error, long attemptNanos) {
      long waitedMillis = (attemptNanos - begunNanos) / 1_000_000;
      return waitedMillis == 0
          ? error
          : new DeadlineExceededException(error.getMessage() + "; " + waitedMillis
              + " ms had passed before, in earlier attempts or in the wait for a session");
    }
  }

  private <R> Mono<R> once(Route<?, ?> route, Duration bound, Attempt<R> attempt) {
    return Mono.defer(() -> attempt(route, Budget.of(bound), attempt));
  }

  private <R> Mono<R> attempt(Route<?, ?> route, Budget budget, Attempt<R> attempt) {
    Member<Peer> now = pool.pick();
    Mono<Member<Peer>> member = now != null ? Mono.just(now) : member(budget.left());
    return member.flatMap(picked -> {
      long begunNanos = System.nanoTime();
      return counted(picked, attempt.over(picked.session(), budget.left()))
          .onErrorMap(DeadlineExceededException.class, error -> budget.expired(error, begunNanos))
          .onErrorResume(
              error -> mayRepeat(route, error) && !budget.isSpent(),
              error -> retired(picked.session()).then(attempt(route, budget, attempt)));
    });
  }

  private <R> Mono<R> counted(Member<Peer> member, Mono<R> reply) {
    if (!counting) {
      return reply;
    }
    return Mono.defer(() -> {
      member.outstanding().incrementAndGet();
      return reply.doFinally(signal -> member.outstanding().decrementAndGet());
    });
  }

  private static boolean mayRepeat(Route<?, ?> route, Throwable error) {
    if (error instanceof StreamRejectedException rejected) {
      return rejected.reason() == StreamRejectedException.Reason.CLOSING;
    }
    return endsSession(error) && (route.idempotent() || ((RailfluxException) error).isUnsent());
  }

  private static boolean endsSession(Throwable error) {
    return error instanceof PeerClosedException || error instanceof PeerUnreachableException;
  }

  /** Takes the session out of use before the next attempt. The notice of its end may still be pending. */
  private Mono<Void> retired(Peer peer) {
    return Mono.create(sink -> execute(() -> {
      pool.retire(peer);
      sink.success();
    }));
  }

  private Mono<Member<Peer>> member(Duration bound) {
    return Mono.create(sink -> execute(() -> {
      Runnable withdraw = pool.await(bound.toNanos(), sink::success, sink::error);
      sink.onCancel(() -> execute(withdraw));
    }));
  }

  /**
   * Sends a request for a stream of replies, see {@link Peer#requestStream(Route, Object)}. It waits for a session and
   * is sent again as {@link #request(Route, Object)} describes, unless a reply has arrived.
   *
   * @param <Q> type of the request
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param request the request; must not change until the first reply arrives
   * @return the replies in order
   */
  @CheckReturnValue
  public <Q, R> Flux<R> requestStream(Route<Q, R> route, Q request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    return Flux.defer(() -> {
      boolean[] begun = new boolean[1];
      return overSessions(
          node.requestBound(),
          (peer, left) ->
              peer.requestStream(route, request, left.toNanos()).doOnNext(reply -> begun[0] = true),
          error -> !begun[0] && mayRepeat(route, error));
    });
  }

  /**
   * Sends a request and ignores its replies, see {@link Peer#fireAndForget}. It waits for a session as {@link
   * #request(Route, Object)} does.
   *
   * @param <Q> type of the request
   * @param route name and codecs of the service
   * @param request the request; must not change until the result completes
   * @return completion, when the request is sent
   */
  @CheckReturnValue
  public <Q> Mono<Void> fireAndForget(Route<Q, ?> route, Q request) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(request, "request");
    return once(route, node.requestBound(), (peer, left) -> peer.fireAndForget(route, request));
  }

  /**
   * Opens a channel over the current session, see {@link Peer#requestChannel}. It ends with that session.
   *
   * @param <Q> type of the values
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param values source of the values
   * @return the replies in order
   */
  @CheckReturnValue
  public <Q, R> Flux<R> requestChannel(Route<Q, R> route, Publisher<? extends Q> values) {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(values, "values");
    return session().flatMapMany(peer -> peer.requestChannel(route, values));
  }

  /**
   * Receives the stream {@code name} of the node at this place, see {@link Peer#receive}. After the end of a session
   * it continues with the stream of that name from the next node. Delivery is at most once: messages that the former
   * node had not delivered are lost, and the next node decides where its stream begins.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec that the sender uses too
   * @return the values, in order within each session. Completes when a producer completes; fails for any other reason
   *     than the end of a session, with {@link io.railflux.exceptions.NodeClosedException} when this remote or its node
   *     closes. Waits for a session without bound
   */
  @CheckReturnValue
  public <T> Flux<T> receive(String name, Codec<T> codec) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(codec, "codec");
    return overSessions(
        WITHOUT_BOUND, (peer, left) -> peer.receive(name, codec), Remote::endsSession);
  }

  /**
   * Receives the stream {@code name} from a position on, exactly once over restarts of the sender. After the end of a
   * session it continues after the last delivered message. Positions count messages.
   *
   * @param <T> type of the values
   * @param name name of the stream; the sender uses {@link Peer#sendFrom} or {@link Node#publishFrom}, and its source
   *     emits the same messages for the same position
   * @param codec codec that the sender uses too
   * @param position number of messages that this side has processed already, at least 0
   * @return the values in order; completes and fails as {@link #receive} does
   * @throws IllegalArgumentException if the position is negative
   */
  @CheckReturnValue
  public <T> Flux<T> receiveFrom(String name, Codec<T> codec, long position) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(codec, "codec");
    if (position < 0) {
      throw new IllegalArgumentException("position must be at least 0, was " + position);
    }
    return Flux.defer(() -> {
      // Never accessed concurrently: the demand of one subscriber orders all accesses.
      long[] next = {position};
      return overSessions(
          WITHOUT_BOUND,
          (peer, left) -> peer.receiveFrom(name, codec, next[0]).doOnNext(value -> next[0]++),
          Remote::endsSession);
    });
  }

  /**
   * Sends the stream {@code name} to the node at this place, and after the end of a session to its successor. Each
   * session continues at the position of the receiver, see {@link Peer#sendFrom}.
   *
   * @param <T> type of the values
   * @param name name of the stream; the receiver uses {@link Peer#receiveFrom}
   * @param codec codec that the receiver uses too
   * @param source creates the publisher of the values from a position on
   * @return completion, when a node has acknowledged the messages up to the end of {@code source}. Fails as {@link
   *     Peer#send} does, but not for the end of a session
   */
  @CheckReturnValue
  public <T> Mono<Void> sendFrom(
      String name, Codec<T> codec, LongFunction<? extends Publisher<? extends T>> source) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(source, "source");
    return overSessions(
            WITHOUT_BOUND,
            (peer, left) -> peer.sendFrom(name, codec, source).flux(),
            Remote::endsSending)
        .then();
  }

  private static boolean endsSending(Throwable error) {
    if (error instanceof StreamRejectedException rejected) {
      return rejected.reason() == StreamRejectedException.Reason.CLOSING;
    }
    return endsSession(error) || error instanceof DeliveryUnknownException;
  }

  private <T> Flux<T> overSessions(
      Duration bound, BiFunction<Peer, Duration, Flux<T>> work, Predicate<Throwable> repeats) {
    return Flux.defer(() -> {
      Budget budget = Budget.of(bound);
      // Never accessed concurrently: each attempt follows the end of the previous attempt.
      Peer[] used = new Peer[1];
      return Mono.defer(() -> member(budget.left()))
          .flatMapMany(member -> {
            used[0] = member.session();
            return work.apply(member.session(), budget.left());
          })
          .retryWhen(Retry.from(signals -> signals.concatMap(signal -> {
            Peer former = used[0];
            used[0] = null;
            return former != null && repeats.test(signal.failure())
                ? retired(former).thenReturn(signal)
                : Mono.error(signal.failure());
          })));
    });
  }

  /**
   * Returns the current session.
   *
   * @return a session that takes work, once there is one. Waits within {@link Railflux#requestTimeout}; signals {@link
   *     PeerUnreachableException} after that
   */
  @CheckReturnValue
  public Mono<Peer> session() {
    return Mono.defer(() -> member(node.requestBound()).map(Member::session));
  }

  /**
   * Emits the sessions of this remote: the present ones, then every new one. A subscription connects, if nothing has
   * connected before. Completes on {@link #close} and when the node closes. Sessions without demand are queued.
   *
   * @return the sessions, on the engine thread
   */
  @CheckReturnValue
  public Flux<Peer> sessions() {
    return Flux.create(sink -> execute(() -> {
      if (pool.isClosed()) {
        sink.complete();
        return;
      }
      pool.begin();
      pool.members().forEach(member -> sink.next(member.session()));
      listeners.add(sink);
      sink.onDispose(() -> execute(() -> listeners.remove(sink)));
    }));
  }

  /**
   * Describes this remote as text for people: one line for each address with its session, or with the last failed
   * attempt and its cause. The format may change.
   *
   * @return several lines of text; the first line only, before the first use and after {@link #close}
   */
  public String explain() {
    return this + pool.explain();
  }

  /**
   * Stops connecting, fails work that waits for a session, and closes the sessions as {@link Peer#close} does.
   * Idempotent.
   *
   * @return completion, when the sessions have ended
   */
  @CheckReturnValue
  public Mono<Void> close() {
    return Mono.<List<Peer>>create(sink -> execute(() -> {
          List<Peer> open = pool.sessions();
          stop();
          sink.success(open);
        }))
        .flatMapIterable(Function.identity())
        .flatMap(peer -> peer.close().onErrorComplete())
        .then();
  }

  /** Sets the listener for the end of this remote. Engine thread. */
  void onStop(Runnable listener) {
    stopListener = listener;
  }

  private void execute(Runnable task) {
    node.engine().execute(task);
  }

  /** Stops connecting. Engine thread. Idempotent. */
  void stop() {
    pool.close();
    Guarded.each("sessions", listeners, FluxSink::complete);
    listeners.clear();
    stopListener.run();
  }

  @Override
  public String toString() {
    return "Remote '" + addresses + "' of " + node.node();
  }
}
