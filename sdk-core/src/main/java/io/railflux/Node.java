package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import io.railflux.engine.Rail;
import io.railflux.engine.VirtualChannel;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import io.railflux.metrics.RailEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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

/**
 * One life of this process on its fabrics: accepts and connects peers, answers their requests. All
 * methods may be called from any thread; signals arrive on the node's engine thread, which subscribers
 * must not block.
 */
public final class Node {

  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private final Settings settings;
  private final EngineThread thread;
  private final Engine engine;
  private final Messages messages;
  private final Shutdown shutdown;
  private final Listening listening = new Listening(this);
  private final Ways ways;
  private final RailEvents railEvents = new RailEvents(this);
  private final Discovery discovery;
  private final Sinks.Empty<Void> closed = Sinks.empty();

  // Engine thread only.
  private final List<Peer> accepted = new ArrayList<>();
  private final List<FluxSink<Peer>> acceptListeners = new ArrayList<>();

  private Node(Settings settings, EngineThread thread) {
    this.settings = settings;
    this.thread = thread;
    this.engine = thread.engine();
    this.messages = new Messages(settings, engine);
    this.ways = new Ways(this, settings.options().connectionsPerRail());
    this.discovery = new Discovery(this, settings.options().rails());
    this.shutdown = new Shutdown(this, settings);
  }

  static Node start(Settings settings) {
    EngineThread thread =
        new EngineThread(settings.engineConfig(), settings.bounds().maxSpin().toNanos());
    Node node = new Node(settings, thread);
    thread.onEnd(node::ended);
    try {
      node.openFabrics();
      node.engine.onAccepted(node::onAccepted);
      node.engine.onRailEvent(node.railEvents::tell);
      if (settings.options().meterRegistry() != null) {
        Metering.bind(node);
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

  private void openFabrics() {
    List<String> reasons = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    for (FabricProvider provider : settings.fabrics()) {
      Availability availability = provider.availability();
      if (availability.available()) {
        sayWhatLacks(engine.addRail(provider));
      } else {
        reasons.add(provider.name() + ": " + availability.reason());
        remedies.add(availability.remedy());
      }
    }
    if (engine.rails().isEmpty()) {
      String names =
          String.join(", ", settings.fabrics().stream().map(f -> f.name()).toList());
      throw new FabricUnavailableException(
          names, String.join("; ", reasons), String.join("; ", remedies));
    }
    for (int i = 0; i < reasons.size(); i++) {
      LOG.info("node '{}' does without {}; {}", name(), reasons.get(i), remedies.get(i));
    }
  }

  private void sayWhatLacks(Rail rail) {
    if (!rail.lacking().isEmpty()) {
      LOG.info("node '{}' uses {} without {}", name(), rail.fabric().name(), rail.lacking());
    }
  }

  /** Name given in the configuration. */
  public String name() {
    return settings.name();
  }

  /**
   * Accepts peers at an address: {@code host:port} for peers on this host, who come by shared memory, and
   * on others, who come by TCP; or with the name of a fabric before it, such as {@code shm:prices} or
   * {@code tcp:10.0.0.7:4711}. A host {@code *} means every interface, port 0 one that is free.
   *
   * @return the address in effect; {@link BindFailedException} when the address is taken or malformed
   */
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
   * Makes another address of this host a rail: listens there and tells the peers that connected to this node over TCP, now
   * and later. Those of them that {@linkplain Rails#discovered() discover} rails and have an interface of their own in
   * its network connect to it, and streams that run go over it as well. Where the node listens at every interface it
   * needs no such call.
   *
   * @param address such as {@code tcp:10.1.0.7:4711}, with the port that peers connected to
   * @return the address in effect; {@link BindFailedException} when it is taken or not of this host
   */
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
   * Takes back what {@link #addRail} made: nobody connects there any more, and the peers that found the address so give up
   * their connections to it, unless they have no other. What these carried goes over others, without loss. Who named the
   * address in {@link #connect} keeps the connection.
   */
  public Mono<Void> removeRail(String address) {
    Objects.requireNonNull(address, "address");
    return onEngine(sink -> {
      listening.removeRail(address);
      sink.success();
    });
  }

  /**
   * Connects to a peer at an address as {@link #bind} returns it: with {@code host:port} by shared
   * memory when that is this host and the peer can be found there, else by TCP. Several addresses of the
   * same peer, separated by commas, become rails of one peer: they are tried in order until one answers,
   * the others join in the background. Beside TCP or verbs shared memory costs a copy more than alone. Cancelling, as a timeout does, before the peer is handed over
   * ends its session.
   *
   * @return the peer; {@link PeerUnreachableException} when nobody answers there
   */
  public Mono<Peer> connect(String addresses) {
    Objects.requireNonNull(addresses, "addresses");
    return Mono.defer(() -> {
      List<Address> parsed = Address.parseAll(addresses);
      if (parsed.size() == 1 && parsed.get(0).isAuto()) {
        HostPort to = HostPort.parse(parsed.get(0).location());
        // Name services answer when they like.
        return Mono.fromCallable(to::isThisHost)
            .subscribeOn(Schedulers.boundedElastic())
            .flatMap(here -> connect(ways.to(to, here)));
      }
      return connect(List.of(ways.along(parsed)));
    });
  }

  private Mono<Peer> connect(List<Ways.Way> tried) {
    return onEngine(sink -> new Connecting(this, tried, sink).begin());
  }

  /** The rail of a fabric's name, or null. */
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
    throw new FabricUnavailableException(
        fabric,
        "node '" + name() + "' has not opened it; it has "
            + engine.rails().stream().map(r -> r.fabric().name()).toList(),
        "add it with Railflux.fabrics(...) or use an address of a fabric it has");
  }

  /**
   * Runs on the node's engine thread, with the timers of that: {@code Flux.interval(every, node.scheduler())}
   * or {@code publishOn(node.scheduler())}. What is sent from there leaves at once, as no other thread has to be
   * woken for it; over shared memory that is most of the time between processes that slept. Tasks must not block; what
   * they throw is logged. They are refused once the node is closed, and those still to come then never run. Disposing of
   * it does nothing.
   */
  public Scheduler scheduler() {
    return thread.scheduler();
  }

  /**
   * Peers that connected to this node: those there already, then every new one. Completes when the
   * node is closed. Peers that come while a subscriber has no demand are kept for it.
   */
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
   * What happens to the paths of all peers, from now on, on the engine thread. Completes when the node is
   * closed. Of events that nobody requests the latest 1,024 are kept.
   */
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
   * Answers requests of every peer with at most one reply. The handler runs on the engine thread and
   * must not block; the context of its result holds the entries the requester propagated.
   *
   * @return disposing it refuses what comes from then on, and lets go on what is being answered;
   *     {@link IllegalStateException} when the name is taken
   */
  public <Q, R> Disposable respond(
      Route<Q, R> route, Function<? super Q, ? extends Mono<? extends R>> handler) {
    return serve(new Serving<>(route, handler, true));
  }

  /** As {@link #respond}, with any number of replies, as many as the requester asks for. */
  public <Q, R> Disposable respondStream(
      Route<Q, R> route, Function<? super Q, ? extends Publisher<? extends R>> handler) {
    return serve(new Serving<>(route, handler, false));
  }

  private Disposable serve(Serving<?, ?> serving) {
    String route = serving.routeName();
    if (!engine.respond(route, serving)) {
      throw new IllegalStateException(
          "node '" + name() + "' already answers route '" + route + "'; dispose that first");
    }
    return () -> engine.stopResponding(route, serving);
  }

  /** Drains every peer within the drain bound, then ends the engine. Idempotent. */
  public Mono<Void> close() {
    return Mono.<Void>create(sink -> {
      shutdown.begin();
      closed.asMono().subscribe(null, sink::error, sink::success);
    });
  }

  /** Ends at once; senders cannot know what became of unacknowledged messages. Idempotent. */
  public void abort() {
    thread.stop();
  }

  /** Only now may the JVM exit without waiting: an exit during the end would leave files behind. */
  private void ended() {
    shutdown.unregister();
    messages.close();
    Guarded.each(acceptListeners, FluxSink::complete);
    acceptListeners.clear();
    railEvents.complete();
    discovery.close();
    closed.tryEmitEmpty();
  }

  /** Completes when the node is closed. */
  public Mono<Void> onClose() {
    return closed.asMono();
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

  Discovery discovery() {
    return discovery;
  }

  RailEvents events() {
    return railEvents;
  }

  Ways ways() {
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
