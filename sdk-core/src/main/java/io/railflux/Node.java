package io.railflux;

import io.railflux.address.Address;
import io.railflux.address.HostPort;
import io.railflux.budget.Messages;
import io.railflux.buffer.OpenFiles;
import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import io.railflux.engine.base.Rail;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RequestTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
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

  private final Settings settings;
  private final EngineThread thread;
  private final Engine engine;
  private final Messages messages;
  private final Shutdown shutdown;
  private final Listening listening = new Listening(this);
  private final PathResolver ways;
  private final RailEvents railEvents = new RailEvents(this);
  private final Discovery discovery;
  private final Map<String, Availability> unavailable = new LinkedHashMap<>();
  // Set before the node is published; null without a meter registry.
  private @Nullable RequestTimes requestTimes;
  private final Sinks.Empty<Void> closed = Sinks.empty();

  // Engine thread only.
  private final List<Peer> accepted = new ArrayList<>();
  private final List<FluxSink<Peer>> acceptListeners = new ArrayList<>();

  private Node(Settings settings, EngineThread thread) {
    this.settings = settings;
    this.thread = thread;
    this.engine = thread.engine();
    this.messages = new Messages(
        settings.name(), settings.options().messageBudgetBytes(), settings.maxEagerBytes(), engine);
    this.ways = new PathResolver(this, settings.options().connectionsPerRail());
    this.discovery = new Discovery(this, settings.options().rails());
    this.shutdown = new Shutdown(this, settings);
  }

  static Node start(Settings settings) {
    EngineThread thread = engineThread(settings);
    Node node = new Node(settings, thread);
    thread.onEnd(node::ended);
    try {
      node.openFabrics();
      node.engine.onAccepted(node::onAccepted);
      node.engine.onRailEvent(node.railEvents::tell);
      if (settings.options().meterRegistry() != null) {
        node.requestTimes = Metering.bind(node);
      }
      // Refused while the JVM exits.
      node.shutdown.register();
      thread.start();
    } catch (RuntimeException | Error e) {
      thread.abandon();
      throw e;
    }
    return node;
  }

  private static EngineThread engineThread(Settings settings) {
    try {
      return new EngineThread(
          settings.engineConfig(), settings.bounds().maxSpin().toNanos());
    } catch (RuntimeException e) {
      if (!OpenFiles.areTooMany(e)) {
        throw e;
      }
      throw new FabricUnavailableException(
          String.join(
              ", ", settings.fabrics().stream().map(FabricProvider::name).toList()),
          "node '" + settings.name() + "' cannot wait for events",
          OpenFiles.SHORTAGE,
          e);
    }
  }

  private void openFabrics() {
    for (FabricProvider provider : settings.fabrics()) {
      Availability availability = provider.availability();
      if (availability.available()) {
        sayWhatLacks(engine.addRail(provider));
      } else {
        unavailable.put(provider.name(), availability);
      }
    }
    if (engine.rails().isEmpty()) {
      throw noFabric();
    }
    unavailable.forEach((fabric, why) ->
        LOG.info("node '{}' does without {}: {}; {}", name(), fabric, why.reason(), why.remedy()));
  }

  private FabricUnavailableException noFabric() {
    List<String> reasons = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    unavailable.forEach((fabric, why) -> {
      reasons.add(fabric + ": " + why.reason());
      remedies.add(why.remedy());
    });
    return new FabricUnavailableException(
        String.join(", ", unavailable.keySet()),
        String.join("; ", reasons),
        String.join("; ", remedies));
  }

  private void sayWhatLacks(Rail rail) {
    if (!rail.lacking().isEmpty()) {
      LOG.debug(
          "node '{}': fabric {} does not offer {}; the engine uses other means",
          name(),
          rail.fabric().name(),
          rail.lacking());
    }
  }

  /**
   * Returns the name of the node.
   *
   * @return the configured name
   */
  public String name() {
    return settings.name();
  }

  /**
   * Accepts peers at an address. {@code host:port} accepts peers of this host over shared memory and peers of other
   * hosts over TCP. A prefix selects the fabric, as in {@code shm:prices} or {@code tcp:10.0.0.7:4711}. The host
   * {@code *} means every interface, port 0 any free port.
   *
   * @param address address to accept peers at
   * @return the effective address, with the port in use. Signals {@link BindFailedException} if the address is in
   *     use, malformed or forbidden, and {@link NodeClosedException} after {@link #close}
   */
  @CheckReturnValue
  public Mono<String> bind(String address) {
    Objects.requireNonNull(address, "address");
    return onEngine(sink -> {
      try {
        sink.success(listening.open(Address.parse(address)));
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
    if (addresses.size() == 1 && addresses.get(0).isAuto()) {
      HostPort to = HostPort.parse(addresses.get(0).location());
      // Resolving a name may block.
      return Mono.fromCallable(to::isThisHost)
          .subscribeOn(Schedulers.boundedElastic())
          .flatMap(here -> connect(ways.to(to, here)));
    }
    return connect(List.of(ways.along(addresses)));
  }

  private Mono<Peer> connect(List<PathResolver.Way> tried) {
    return onEngine(sink -> new Connecting(this, tried, sink).begin());
  }

  /** Returns the rail of the named fabric, or null. */
  @Nullable
  Rail rail(String fabric) {
    for (Rail rail : engine.rails()) {
      if (rail.fabric().name().equals(fabric)) {
        return rail;
      }
    }
    return null;
  }

  Rail requireRail(String fabric) {
    Rail rail = rail(fabric);
    if (rail != null) {
      return rail;
    }
    Availability why = unavailable.get(fabric);
    if (why != null) {
      throw new FabricUnavailableException(fabric, why.reason(), why.remedy());
    }
    throw new FabricUnavailableException(
        fabric,
        "node '" + name() + "' has not opened it; it has "
            + engine.rails().stream().map(r -> r.fabric().name()).toList(),
        "add it with Railflux.fabrics(...), or write host:port with a port of 0 to 65535 if '"
            + fabric + "' is a host");
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
    Peer peer = new Peer(this, channel, "it connected to this node");
    LOG.info("node '{}' accepted {}", name(), peer.reach());
    accepted.add(peer);
    discovery.accepted(channel);
    channel.onEnd(failure -> accepted.remove(peer));
    Guarded.each(acceptListeners, sink -> sink.next(peer));
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
    return serve(new Serving<>(route, handler, true, requestTimes));
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
    return serve(new Serving<>(route, handler, false, null));
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
    messages.close();
    Guarded.each(acceptListeners, FluxSink::complete);
    acceptListeners.clear();
    railEvents.complete();
    discovery.close();
    closed.tryEmitEmpty();
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
      if (isClosed()) {
        sink.error(closedError());
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
    return thread.isStopping() || shutdown.hasBegun();
  }

  NodeClosedException closedError() {
    return new NodeClosedException("node '" + name() + "' is closed");
  }

  Engine engine() {
    return engine;
  }

  EngineThread thread() {
    return thread;
  }

  @Nullable
  RequestTimes requestTimes() {
    return requestTimes;
  }

  Discovery discovery() {
    return discovery;
  }

  RailEvents events() {
    return railEvents;
  }

  PathResolver ways() {
    return ways;
  }

  Settings settings() {
    return settings;
  }

  Messages messages() {
    return messages;
  }

  @Override
  public String toString() {
    return "Node '" + name() + "'";
  }

  static long drainBoundNanos(Settings settings) {
    return settings.bounds().drainTimeout().toNanos() + TimeUnit.SECONDS.toNanos(1);
  }
}
