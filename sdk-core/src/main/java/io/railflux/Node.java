package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.address.Address;
import io.railflux.address.HostPort;
import io.railflux.budget.Messages;
import io.railflux.buffer.OpenFiles;
import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.FabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Envelope;
import io.railflux.metrics.MicrometerObserver;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RequestTimes;
import io.railflux.policy.RemoteOptions;
import io.railflux.rehearsal.Rehearsal;
import io.railflux.remote.Ticks;
import io.railflux.wire.OpenFrame;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

// More than 400 lines: public API: more than half of the lines are its documentation.
/**
 * A running node: accepts and connects peers, and handles their requests. Any thread may call any method. Signals
 * arrive on the engine thread of the node, which subscribers must not block.
 */
public final class Node {

  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private final NodeConfig config;
  private final EngineThread thread;
  private final Engine engine;
  private final Messages messages;
  private final Shutdown shutdown;
  private final PathResolver paths;
  private final Discovery discovery;
  private final Listening listening;
  private final RailEvents railEvents;
  private final Peer.Services peerServices;
  private final Sinks.Empty<Void> closed = Sinks.empty();

  // Engine thread only.
  private final List<Peer> accepted = new ArrayList<>();
  private final List<FluxSink<Peer>> acceptListeners = new ArrayList<>();
  private final Sessions sessions = new Sessions();
  private final Set<String> published = ConcurrentHashMap.newKeySet();

  private Node(
      NodeConfig config,
      EngineThread thread,
      OpenFabrics fabrics,
      @Nullable RequestTimes requestTimes) {
    this.config = config;
    this.thread = thread;
    this.engine = thread.engine();
    this.messages =
        new Messages(config.name(), config.messageBudgetBytes(), config.maxEagerBytes(), engine);
    this.paths = new PathResolver(fabrics, config.links().connectionsPerRail());
    this.discovery = new Discovery(config.name(), engine, paths, config.links().rails());
    this.listening = new Listening(config.name(), engine, fabrics, discovery);
    this.railEvents = new RailEvents(thread);
    this.shutdown = new Shutdown(thread, config, sessions::stopRemotes);
    this.peerServices = new Peer.Services(config, railEvents, paths, messages, requestTimes);
  }

  static Node start(NodeConfig config) {
    EngineThread thread = engineThread(config);
    try {
      OpenFabrics fabrics = OpenFabrics.open(config, thread.engine());
      boolean metered = config.meterRegistry() != null;
      Node node = new Node(config, thread, fabrics, metered ? Metering.bind(config, thread) : null);
      thread.onEnd(node::ended);
      node.engine.onAccepted(node::onAccepted);
      node.engine.onRailEvent(node.railEvents::publish);
      // Refused while the JVM exits.
      node.shutdown.register();
      thread.start();
      Rehearsal.begin();
      return node;
    } catch (RuntimeException | Error e) {
      thread.abandon();
      throw e;
    }
  }

  private static EngineThread engineThread(NodeConfig config) {
    try {
      return new EngineThread(config.engine(), config.maxSpinNanos());
    } catch (RuntimeException e) {
      if (!OpenFiles.areTooMany(e)) {
        throw e;
      }
      throw new FabricUnavailableException(
          String.join(", ", config.fabrics().stream().map(FabricProvider::name).toList()),
          "node '" + config.name() + "' cannot wait for events",
          OpenFiles.SHORTAGE,
          e);
    }
  }

  /**
   * Returns the name of the node.
   *
   * @return the configured name
   */
  public String name() {
    return config.name();
  }

  /**
   * Accepts peers at an address. {@code host:port} accepts peers of this host over shared memory and peers of other
   * hosts over TCP. A prefix selects the fabric, as in {@code shm:prices} or {@code tcp:10.0.0.7:4711}. The host
   * {@code *} means every interface, port 0 any free port.
   *
   * @param address address to accept peers at
   * @return the effective address, with the port in use. Signals {@link BindFailedException} if the address is in
   *     use or forbidden, {@link IllegalArgumentException} if it is malformed, and {@link NodeClosedException} after
   *     {@link #close}
   */
  @CheckReturnValue
  public Mono<String> bind(String address) {
    Objects.requireNonNull(address, "address");
    return onEngine(sink -> {
      Address place = Address.parse(address);
      try {
        sink.success(listening.open(place));
      } catch (IOException | IllegalArgumentException e) {
        sink.error(new BindFailedException("cannot bind " + address + ": " + e.getMessage(), e));
      }
    });
  }

  /**
   * Listens on a further address of this host and announces it to the peers that connected over TCP, now and later. A
   * peer that {@linkplain Rails#discovered() discovers} rails, and has an interface in the network of the address,
   * connects to it. Its running streams then use the new rail too. A node that listens on every interface needs no
   * such call.
   *
   * @param address such as {@code tcp:10.1.0.7:4711}, with the port that the peers connected to
   * @return the effective address. Signals {@link BindFailedException} if the address is in use or does not belong to
   *     this host, and {@link NodeClosedException} after {@link #close}
   */
  @CheckReturnValue
  public Mono<String> addRail(String address) {
    Objects.requireNonNull(address, "address");
    return onEngine(sink -> {
      try {
        sink.success(listening.addRail(address));
      } catch (IOException e) {
        sink.error(
            new BindFailedException("cannot add rail " + address + ": " + e.getMessage(), e));
      }
    });
  }

  /**
   * Stops listening on an address that {@link #addRail} added. Peers that discovered the address close their
   * connections to it, unless it is their only rail. Their frames continue over other rails without loss. Peers that
   * named the address in {@link #connect} keep their connections.
   *
   * @param address the address passed to {@link #addRail}
   * @return completion. Signals {@link IllegalArgumentException} if the address is no added rail, and {@link
   *     NodeClosedException} after {@link #close}
   */
  @CheckReturnValue
  public Mono<Void> removeRail(String address) {
    Objects.requireNonNull(address, "address");
    return onEngine(sink -> {
      listening.removeRail(address);
      sink.success();
    });
  }

  /**
   * Connects to a peer at an address that {@link #bind} returns. {@code host:port} uses shared memory if the host is
   * this host and the peer is found there, otherwise TCP.
   *
   * <p>Several addresses of one peer, separated by commas, become rails of that peer. Each has a head start of 250 ms
   * before the next one; after a failure the next attempt begins at once. The first address that answers begins the
   * session, and the peer is emitted. The others join in the background and are retried during the session. An
   * address at which another node answers never joins. The addresses of a host name take part in the same way, IPv6
   * and IPv4 alternately. Shared memory beside TCP or verbs costs one copy more than alone.
   *
   * <p>Cancelling before the peer is emitted, as a time-out does, ends the session.
   *
   * @param addresses one address, or several separated by commas
   * @return the peer, emitted on the engine thread. Signals {@link PeerUnreachableException} with the reason of each
   *     address if none leads to a peer, {@link FabricUnavailableException} if the node has not opened the fabric,
   *     {@link IllegalArgumentException} for a malformed address, and {@link NodeClosedException} after {@link
   *     #close}
   */
  @CheckReturnValue
  public Mono<Peer> connect(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return Mono.defer(() -> {
      try {
        return connectTo(Address.parseAll(addresses));
      } catch (RuntimeException e) {
        // Not inside the subscribe, which may be on the engine thread (D17).
        return onEngine(sink -> sink.error(e));
      }
    });
  }

  private Mono<Peer> connectTo(List<Address> addresses) {
    paths.requireDestination(addresses);
    if (addresses.size() == 1 && addresses.get(0).isAuto()) {
      HostPort to = HostPort.parse(addresses.get(0).location());
      // Resolving a name may block.
      return Mono.fromCallable(to::isThisHost)
          .subscribeOn(Schedulers.boundedElastic())
          .flatMap(here -> connectAlong(to, here))
          // A rejection by the other scheduler, too, arrives on the engine thread.
          .onErrorResume(error -> onEngine(sink -> sink.error(error)));
    }
    return connect(List.of(paths.chosen(addresses)));
  }

  private Mono<Peer> connectAlong(HostPort to, boolean here) {
    return onEngine(sink -> begin(paths.to(to, here), sink));
  }

  private Mono<Peer> connect(List<PathResolver.Choice> tried) {
    return onEngine(sink -> begin(tried, sink));
  }

  private void begin(List<PathResolver.Choice> tried, MonoSink<Peer> sink) {
    new Connecting(engine, peerServices, sessions, discovery, shutdown, tried, sink).begin();
  }

  /**
   * Returns a handle on the place at {@code addresses}, which survives restarts of the nodes there. Nothing is connected
   * before the first use.
   *
   * <p>Several addresses that name a fabric, as in {@code tcp:10.0.0.7:4711,tcp:10.1.0.7:4711}, are rails of one node.
   * Several addresses of the form {@code host:port} are alternatives: the first one that answers has the session. With
   * a {@link io.railflux.policy.Balancing} other than NONE, each address has a session of its own.
   *
   * @param addresses one address, or several separated by commas
   * @return the remote; close it, or this node, to release its sessions
   * @throws IllegalArgumentException if an address is malformed, has the host {@code *} or port 0, or names a fabric
   *     beside one that does not
   * @throws FabricUnavailableException if the node has not opened the fabric of an address
   */
  public Remote remote(String addresses) {
    return remote(addresses, RemoteOptions.DEFAULT);
  }

  /**
   * Returns a handle on the place at {@code addresses}, see {@link #remote(String)}.
   *
   * @param addresses one address, or several separated by commas
   * @param options balancing, backoff and patience
   * @return the remote; close it, or this node, to release its sessions
   * @throws IllegalArgumentException if an address is malformed, has the host {@code *} or port 0, or names a fabric
   *     beside one that does not
   * @throws FabricUnavailableException if the node has not opened the fabric of an address
   */
  public Remote remote(String addresses, RemoteOptions options) {
    Objects.requireNonNull(options, "options");
    List<Address> places = Address.parseAll(Objects.requireNonNull(addresses, "addresses"));
    Remote.attempts(places, options).forEach(paths::requireDestination);
    Remote.Access access = new Remote.Access(
        toString(), this::connect, ticks(), engine::execute, scheduler(), requestBound());
    Remote remote = new Remote(access, places, options);
    engine.execute(() -> {
      if (shutdown.isClosed()) {
        remote.stop();
      } else {
        sessions.add(remote);
      }
    });
    return remote;
  }

  /** Returns the longest wait of a request for a session. */
  private Duration requestBound() {
    long nanos = config.requestTimeoutNanos();
    return nanos == 0 ? Duration.ofDays(365) : Duration.ofNanos(nanos);
  }

  private Ticks ticks() {
    return new Ticks() {
      @Override
      public long nowNanos() {
        return engine.nowNanos();
      }

      @Override
      public Runnable after(long nanos, Runnable task) {
        return engine.timers().at(engine.nowNanos() + nanos, task)::cancel;
      }

      @Override
      public double random() {
        return ThreadLocalRandom.current().nextDouble();
      }
    };
  }

  /**
   * Returns a scheduler on the engine thread of this node, for {@code Flux.interval(every, node.scheduler())} or
   * {@code publishOn(node.scheduler())}. Sends from its tasks wake no other thread, which lowers the latency between
   * sleeping processes. Tasks must not block. Exceptions of tasks are logged. A closed node rejects tasks and drops
   * pending ones. Disposing of the scheduler has no effect.
   *
   * @return the scheduler of this node
   */
  public Scheduler scheduler() {
    return thread.scheduler();
  }

  /**
   * Emits the peers that connected to this node: the present ones, then every new one. Completes when the node
   * closes. Peers without demand are queued without bound for the subscriber.
   *
   * @return the peers, on the engine thread
   */
  @CheckReturnValue
  public Flux<Peer> peers() {
    return Flux.create(sink -> engine.execute(() -> {
      if (thread.isStopping()) {
        sink.complete();
        return;
      }
      accepted.forEach(sink::next);
      acceptListeners.add(sink);
      sink.onDispose(() -> engine.execute(() -> acceptListeners.remove(sink)));
    }));
  }

  /**
   * Emits the events of the paths to all peers from the subscription on. Completes when the node closes. Without
   * demand the latest 1,024 events are kept.
   *
   * @return the events, on the engine thread, in the order of their occurrence
   */
  @CheckReturnValue
  public Flux<RailEvent> railEvents() {
    return railEvents.flux(channel -> true);
  }

  private void onAccepted(VirtualChannel channel) {
    Peer peer = new Peer(peerServices, channel, "it connected to this node");
    LOG.info("node '{}' accepted {}", name(), peer.reach());
    accepted.add(peer);
    sessions.joined(peer, channel);
    discovery.accepted(channel);
    channel.onEnd(failure -> accepted.remove(peer));
    Guarded.each("peers", acceptListeners, sink -> sink.next(peer));
  }

  /**
   * Handles the requests of all peers for a route with at most one reply.
   *
   * @param <Q> type of the requests
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param handler called on the engine thread, must not block. The Reactor context of its result contains the
   *     entries that the requester propagated. An exception or error reaches the requester as {@link
   *     io.railflux.exceptions.RemoteStreamException}
   * @return a handle that stops accepting requests when disposed; running requests continue
   * @throws IllegalStateException if a handler for the name of the route exists
   */
  public <Q, R> Disposable respond(
      Route<Q, R> route, Function<? super Q, ? extends Mono<? extends R>> handler) {
    return serve(new Serving<>(route, Serving.ofValue(handler), true, peerServices.requestTimes()));
  }

  /**
   * Handles the requests of all peers for a route with at most one reply, see {@link #respond(Route, Function)}.
   *
   * @param <Q> type of the requests
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param handler receives the requester, and the request with its headers, propagated context and remaining time to
   *     live; called on the engine thread, must not block
   * @return a handle that stops accepting requests when disposed; running requests continue
   * @throws IllegalStateException if a handler for the name of the route exists
   */
  public <Q, R> Disposable respond(
      Route<Q, R> route,
      BiFunction<? super Peer, ? super Envelope<Q>, ? extends Mono<? extends R>> handler) {
    return serve(new Serving<>(
        route, Serving.ofEnvelope(sessions::peer, handler), true, peerServices.requestTimes()));
  }

  /**
   * Handles the requests of all peers for a route with any number of replies, within the demand of the requester.
   *
   * @param <Q> type of the requests
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param handler called on the engine thread, must not block; see {@link #respond}
   * @return a handle that stops accepting requests when disposed; running requests continue
   * @throws IllegalStateException if a handler for the name of the route exists
   */
  public <Q, R> Disposable respondStream(
      Route<Q, R> route, Function<? super Q, ? extends Publisher<? extends R>> handler) {
    return serve(new Serving<>(route, Serving.ofValue(handler), false, null));
  }

  /**
   * Handles the requests of all peers for a route with any number of replies, see {@link #respondStream(Route,
   * Function)}.
   *
   * @param <Q> type of the requests
   * @param <R> type of the replies
   * @param route name and codecs of the service
   * @param handler receives the requester, and the request with its headers, propagated context and remaining time to
   *     live; called on the engine thread, must not block
   * @return a handle that stops accepting requests when disposed; running requests continue
   * @throws IllegalStateException if a handler for the name of the route exists
   */
  public <Q, R> Disposable respondStream(
      Route<Q, R> route,
      BiFunction<? super Peer, ? super Envelope<Q>, ? extends Publisher<? extends R>> handler) {
    return serve(new Serving<>(route, Serving.ofEnvelope(sessions::peer, handler), false, null));
  }

  /**
   * Handles the channels of all peers for a route: values of the requester in, replies out, each within the demand of
   * its receiver.
   *
   * @param <Q> type of the requester's values
   * @param <R> type of the replies
   * @param route name and codecs of the service; a route of channels serves no other requests
   * @param handler receives the requester and its values, which have one subscriber; called on the engine thread, must
   *     not block
   * @return a handle that stops accepting channels when disposed; running channels continue
   * @throws IllegalStateException if a handler for the name of the route exists
   */
  public <Q, R> Disposable respondChannel(
      Route<Q, R> route,
      BiFunction<? super Peer, ? super Flux<Q>, ? extends Publisher<? extends R>> handler) {
    Objects.requireNonNull(handler, "handler");
    Codec<Q> codec = route.requestCodec();
    return respondStream(
        route.ofChannels(),
        (peer, request) -> handler.apply(peer, peer.receive(request.payload(), codec)));
  }

  private Disposable serve(Serving<?, ?> serving) {
    String route = serving.routeName();
    if (!engine.respond(route, serving)) {
      throw new IllegalStateException("node '" + name() + "' already has a handler for route '"
          + route + "'; dispose it first");
    }
    return () -> engine.stopResponding(route, serving);
  }

  /**
   * Offers a stream to every peer of this node, present and future. Each subscription of a peer gets a publisher of its
   * own, created with the first demand; the end or error of one never affects another. After the end of a subscription,
   * for whichever reason, the stream is offered to that peer again.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec that receivers use too
   * @param source creates the publisher for one subscription of a peer; called on the engine thread, must not block
   * @return a handle that withdraws the offer when disposed; running subscriptions end at their receivers with an error
   * @throws IllegalArgumentException if the name is too long or contains control characters
   * @throws IllegalStateException if this node already publishes a stream of that name
   */
  public <T> Disposable publish(
      String name,
      Codec<T> codec,
      Function<? super Peer, ? extends Publisher<? extends T>> source) {
    Objects.requireNonNull(source, "source");
    return publish(name, codec, false, (peer, position) -> source.apply(peer));
  }

  /**
   * Offers a stream that begins at the position of its receiver, see {@link #publish} and {@link Peer#sendFrom}.
   *
   * @param <T> type of the values
   * @param name name of the stream
   * @param codec codec that receivers use too
   * @param source creates the publisher for one subscription of a peer, from the position that the peer gives; called on
   *     the engine thread, must not block
   * @return a handle that withdraws the offer when disposed; running subscriptions end at their receivers with an error
   * @throws IllegalArgumentException if the name is too long or contains control characters
   * @throws IllegalStateException if this node already publishes a stream of that name
   */
  public <T> Disposable publishFrom(
      String name,
      Codec<T> codec,
      BiFunction<? super Peer, Long, ? extends Publisher<? extends T>> source) {
    Objects.requireNonNull(source, "source");
    return publish(name, codec, true, source);
  }

  private <T> Disposable publish(
      String name,
      Codec<T> codec,
      boolean positioned,
      BiFunction<? super Peer, Long, ? extends Publisher<? extends T>> source) {
    OpenFrame.requireName("name of the stream", Objects.requireNonNull(name, "name"));
    Route.codecName(codec, "codec");
    if (!published.add(name)) {
      throw new IllegalStateException("node '" + name() + "' already publishes stream '" + name
          + "'; dispose of that publication first");
    }
    Publication<T> publication = new Publication<>(name, codec, positioned, source, ticks());
    engine.execute(() -> sessions.add(publication));
    Disposable.Swap withdrawal = Disposables.swap();
    withdrawal.update(() -> {
      published.remove(name);
      engine.execute(() -> sessions.remove(publication));
    });
    return withdrawal;
  }

  /**
   * Drains every peer within {@link Railflux#drainTimeout} and then ends the engine. Idempotent.
   *
   * @return completion, when the node has ended
   */
  @CheckReturnValue
  public Mono<Void> close() {
    return Mono.defer(() -> {
      shutdown.begin();
      return onClose();
    });
  }

  /** Ends the node at once. The outcome of unacknowledged messages is unknown to their senders. Idempotent. */
  public void abort() {
    thread.stop();
  }

  /** The JVM may exit only now: an earlier exit would leave files behind. */
  private void ended() {
    shutdown.unregister();
    sessions.stopRemotes();
    messages.close();
    Guarded.each("peers", acceptListeners, FluxSink::complete);
    acceptListeners.clear();
    railEvents.complete();
    discovery.close();
    closed.tryEmitEmpty();
  }

  /**
   * Waits until the node has ended, as a process does that only serves: the threads of a node are daemons and keep no
   * process alive. SIGTERM drains the node and ends the wait.
   *
   * @throws InterruptedException if the waiting thread is interrupted; the node continues
   * @throws IllegalStateException on the engine thread, which would wait for itself
   */
  public void awaitClose() throws InterruptedException {
    if (engine.inEngine()) {
      throw new IllegalStateException("awaitClose() on the engine thread of " + this);
    }
    thread.awaitEnd(Long.MAX_VALUE);
  }

  /**
   * Signals the end of the node.
   *
   * @return completion, when the node has ended
   */
  @CheckReturnValue
  public Mono<Void> onClose() {
    return Mono.create(sink -> engine.execute(
        () -> sink.onDispose(closed.asMono().subscribe(null, sink::error, sink::success))));
  }

  boolean awaitEnd(long nanos) throws InterruptedException {
    return thread.awaitEnd(nanos);
  }

  private <T> Mono<T> onEngine(java.util.function.Consumer<MonoSink<T>> work) {
    return Mono.create(sink -> engine.execute(() -> {
      if (shutdown.isClosed()) {
        sink.error(shutdown.closedError());
        return;
      }
      try {
        work.accept(sink);
      } catch (Throwable e) {
        sink.error(e);
      }
    }));
  }

  boolean isClosed() {
    return shutdown.isClosed();
  }

  Engine engine() {
    return engine;
  }

  EngineThread thread() {
    return thread;
  }

  Messages messages() {
    return messages;
  }

  @Override
  public String toString() {
    return "Node '" + name() + "'";
  }

  /** The only class of this package that needs Micrometer; loaded only with a registry. */
  private static final class Metering {

    static RequestTimes bind(NodeConfig config, EngineThread thread) {
      MeterRegistry registry = (MeterRegistry) config.meterRegistry();
      MicrometerObserver observer = new MicrometerObserver(registry, config.name());
      observer.engine(thread);
      thread.engine().observe(observer);
      return observer.requestTimes();
    }
  }
}
