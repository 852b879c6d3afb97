package io.railflux.engine;

import io.railflux.buffer.RegistrationCache;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.LocalMemory;
import io.railflux.metrics.NodeObserver;
import io.railflux.metrics.RailEvent;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.wire.Authentication;
import io.railflux.wire.Hello;
import io.railflux.wire.RequestBody;
import io.railflux.wire.Versions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.concurrent.Queues;

/**
 * A node's state machine: without threads, clocks and randomness of its own (D13). Whoever drives it
 * calls {@link #dutyCycle} with the time; all other methods but {@link #execute} and {@link #inEngine}
 * are for that thread.
 */
public final class Engine implements EngineAffinity {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int POLL_LIMIT = 64;

  // Per rail: what is kept registered is kept reachable, too.
  private static final int KEPT_REGISTRATIONS = 64;
  private static final long KEPT_REGISTERED_BYTES = 64L << 20;

  private final EngineConfig config;
  private final EngineHost host;
  private final Incarnation incarnation;
  private final Queue<Runnable> tasks =
      Queues.<Runnable>unboundedMultiproducer().get();
  private final Timers timers = new Timers();
  private final List<Rail> rails = new ArrayList<>();
  private final List<Handshakes> handshakes = new ArrayList<>();
  private final List<VirtualChannel> channels = new ArrayList<>();
  private final DueReleases releases = new DueReleases();
  private final List<RegistrationCache<LocalMemory>> registrations = new ArrayList<>();
  private final LargeMemory sourceMemory;
  private final LargeMemory landingMemory;
  // Changed by any thread.
  private final Map<String, Responder> responders = new ConcurrentHashMap<>();
  private final BulkRotation rotation = new BulkRotation();
  private final LineFetching lineFetching = new LineFetching();
  private final Glance glance = new Glance(tasks, channels);
  private final Acceptor acceptor = new Acceptor(this);
  private final Secrets secrets;
  private final Refusals refusals;
  private final Greetings greetings = new Greetings();
  private NodeObserver observer = NodeObserver.NONE;
  private BiConsumer<VirtualChannel, RailEvent> railListener = (channel, event) -> {};
  private long nowNanos;
  private long unseenNanos;
  private boolean worked;
  private boolean spun;
  private int nextSession = 1;
  private boolean leaving;
  private boolean closed;
  private boolean expectsMore;

  // Counted for metrics.
  private long cycles;
  private long busyCycles;
  private long messagesRead;
  private long sent;
  private long arrived;

  public Engine(EngineConfig config, EngineHost host, long nowNanos) {
    this.config = config;
    this.host = host;
    this.nowNanos = nowNanos;
    this.secrets = new Secrets(config.security().secrets());
    this.refusals = new Refusals(config, this::nowNanos);
    EngineConfig.Large large = config.large();
    int most = config.limits().maxMessageBytes() + RequestBody.ROUTE_ID_BYTES;
    this.sourceMemory =
        new LargeMemory(config.nodeName() + " sends", large.sendBudgetBytes(), most, this);
    this.landingMemory =
        new LargeMemory(config.nodeName() + " receives", large.receiveBudgetBytes(), most, this);
    this.incarnation = new Incarnation(host.randomLong() | 1, host.randomLong());
  }

  /** Opens a fabric as the next rail. */
  public Rail addRail(FabricProvider provider) {
    Fabric fabric = provider.open(new EngineFabricContext(this, host));
    Rail rail = new Rail(rails.size(), fabric);
    rails.add(rail);
    handshakes.add(new Handshakes(this, rail));
    registrations.add(new RegistrationCache<>(
        KEPT_REGISTRATIONS, KEPT_REGISTERED_BYTES, fabric::register, LocalMemory::close));
    return rail;
  }

  /**
   * Accepts peers on a rail; returns the location in effect.
   *
   * @throws IOException also where anybody could connect and nobody said that anybody may
   */
  public Fabric.Listening listen(Rail rail, String location) throws IOException {
    String objection = config.security().objection(rail.fabric().protectionAt(location));
    if (objection != null) {
      throw new IOException(objection);
    }
    return rail.fabric().listen(location, handshakes.get(rail.index()));
  }

  /** Told of every peer that connected to this node. */
  public void onAccepted(Consumer<VirtualChannel> listener) {
    acceptor.onAccepted(listener);
  }

  /** Where a peer can be reached over one rail. */
  public record Target(Rail rail, String location) {

    @Override
    public String toString() {
      return rail.fabric().name() + ":" + location;
    }
  }

  /**
   * Connects to a peer, by the first target; the others join as further subchannels.
   *
   * @return gives the peer up, whether it is there already or not; engine thread only
   */
  public Runnable connect(List<Target> targets, ChannelListener listener) {
    Reconnect connecting = new Reconnect(this, targets, nextSession++, listener);
    connecting.begin();
    return connecting::giveUp;
  }

  /** Runs everything that is due; returns how much was done. */
  public int dutyCycle(long now) {
    unseenNanos = worked || spun ? now - nowNanos : 0;
    spun = false;
    nowNanos = now;
    lineFetching.begin(now, sent);
    expectsMore = true;
    int work = runTasks();
    expectsMore = false;
    work += workOnChannels();
    for (int i = 0; i < rails.size(); i++) {
      work += poll(rails.get(i));
    }
    work += runTimers(now);
    releaseDue();
    cycles++;
    worked = work > 0;
    if (worked) {
      busyCycles++;
    }
    return work;
  }

  /** Whoever drives it does not sleep until the next cycle: what that finds late was missed, not waited for. */
  void spins() {
    spun = true;
  }

  /** Waits for what {@link Glance} finds, that many looks at most. */
  void lookOut(int looks) {
    for (int i = 0; i < looks && !glance.hasNews(); i++) {
      Thread.onSpinWait();
    }
  }

  /** Whether a cycle has no more to do now than {@link Glance} would see; timers and fabrics aside. */
  boolean awaitsPeers() {
    return glance.isAllThatIsLeft();
  }

  /** Whether a cycle may find something; always where fabrics have to be asked. */
  boolean mayHaveNews() {
    return glance.hasNews();
  }

  /** What one peer, one timer or one user does wrong must not end the node. */
  private int poll(Rail rail) {
    try {
      return rail.fabric().poll(POLL_LIMIT);
    } catch (Throwable e) {
      LOG.error("{}: unexpected failure while polling", rail, e);
      return 1;
    }
  }

  private int runTimers(long now) {
    try {
      return timers.run(now);
    } catch (Throwable e) {
      LOG.error("timer failed", e);
      return 1;
    }
  }

  private int workOnChannels() {
    int work = 0;
    rotation.next();
    for (int i = 0; i < channels.size(); ) {
      VirtualChannel channel = channels.get(i);
      work += work(channel);
      // If it ended, the next one took its place.
      if (i < channels.size() && channels.get(i) == channel) {
        i++;
      }
    }
    // Pipelines may have sent what one peer brought to another that had its turn before.
    for (int i = 0; i < channels.size(); i++) {
      publish(channels.get(i));
    }
    return work;
  }

  private int work(VirtualChannel channel) {
    try {
      return channel.work();
    } catch (Throwable e) {
      expectsMore = false;
      fault(channel, e);
      return 1;
    }
  }

  private static void publish(VirtualChannel channel) {
    try {
      channel.sendPath().publishGathered();
    } catch (Throwable e) {
      fault(channel, e);
    }
  }

  private static void fault(VirtualChannel channel, Throwable e) {
    LOG.error("{}: unexpected failure, the channel ends", channel.description(), e);
    channel.fault(e);
  }

  private int runTasks() {
    int ran = 0;
    // Bounded, so that tasks which submit tasks do not starve the network.
    for (Runnable task = tasks.poll(); task != null; task = ++ran < 1024 ? tasks.poll() : null) {
      try {
        task.run();
      } catch (Throwable e) {
        LOG.error("task failed", e);
      }
    }
    return ran;
  }

  private void releaseDue() {
    if (releases.run() && channels.isEmpty()) {
      releases.add(() -> registrations.forEach(RegistrationCache::clear));
      releases.run();
    }
  }

  /** Runs when the endpoints that were released so far are closed: nothing uses their memory then. */
  void afterRelease(Runnable action) {
    releases.addAfterwards(action);
  }

  /** Runs {@code task} aside, then {@code next} here. */
  void aside(Runnable task, Runnable next) {
    host.aside(() -> {
      try {
        task.run();
      } finally {
        execute(next);
      }
    });
  }

  /** Where large messages are encoded. */
  LargeMemory sourceMemory() {
    return sourceMemory;
  }

  /** Where large messages arrive. */
  LargeMemory landingMemory() {
    return landingMemory;
  }

  /** Memory that large messages take now, those included that their owners have not closed. Any thread. */
  public long largeMessageBytes() {
    return sourceMemory.outstandingBytes() + landingMemory.outstandingBytes();
  }

  RegistrationCache<LocalMemory> registrations(Rail rail) {
    return registrations.get(rail.index());
  }

  /** The largest message that goes through a ring of that size: as the user says, or over whichever rail. */
  int eagerLimitBytes(int peerRingBytes) {
    int most = Math.min(
        config.limits().mostEagerBytes(), EngineConfig.Limits.mostEagerBytes(peerRingBytes));
    if (config.large().hasEagerLimit()) {
      return Math.min(most, config.large().eagerLimitBytes());
    }
    for (Rail rail : rails) {
      most = Math.min(most, Math.max(1, rail.fabric().capabilities().eagerLimitBytes()));
    }
    return most;
  }

  /** Asks all fabrics to wake the engine; look again before sleeping. */
  public void arm() {
    rails.forEach(rail -> rail.fabric().arm());
  }

  public void disarm() {
    rails.forEach(rail -> rail.fabric().disarm());
  }

  /** Nanoseconds until something is due by time, {@link Long#MAX_VALUE} if nothing is. */
  public long untilNextTimerNanos(long now) {
    return timers.untilNextNanos(now);
  }

  /** From now on no peer is accepted and none connected to; those that are there stay. */
  public void leave(String reason) {
    leaving = true;
    handshakes.forEach(h -> h.nodeLeaves(reason));
  }

  boolean isLeaving() {
    return leaving;
  }

  /** Ends everything at once: streams fail, endpoints, regions and listeners go. */
  public void close(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    leave(reason);
    new ArrayList<>(channels).forEach(channel -> channel.abort(reason));
    releaseDue();
    handshakes.forEach(Handshakes::close);
    registrations.forEach(RegistrationCache::close);
    rails.forEach(rail -> rail.fabric().close());
    sourceMemory.close();
    landingMemory.close();
    observer.nodeClosed();
  }

  /** Runs what was handed over after the end, so that nobody waits for an answer in vain. */
  void runLeftovers() {
    while (runTasks() > 0) {
      // A run is bounded; what the tasks submit runs as well.
    }
  }

  @Override
  public boolean inEngine() {
    return host.inEngine();
  }

  @Override
  public void execute(Runnable task) {
    tasks.offer(task);
    host.wakeUp();
  }

  /** Serves a route for every peer; returns false when the name is taken. Any thread. */
  public boolean respond(String name, Responder responder) {
    return responders.putIfAbsent(name, responder) == null;
  }

  public void stopResponding(String name, Responder responder) {
    responders.remove(name, responder);
  }

  Responder responder(String name) {
    return responders.get(name);
  }

  /** Told of peers and streams from now on. */
  public void observe(NodeObserver newObserver) {
    observer = new GuardedObserver(newObserver);
  }

  /** Told what happens to paths, from now on; on the engine thread. */
  public void onRailEvent(BiConsumer<VirtualChannel, RailEvent> listener) {
    railListener = listener;
  }

  BiConsumer<VirtualChannel, RailEvent> railListener() {
    return railListener;
  }

  NodeObserver observer() {
    return observer;
  }

  void add(VirtualChannel channel) {
    channels.add(channel);
    observer.peerOpened(channel.readings());
  }

  void forget(VirtualChannel channel) {
    channels.remove(channel);
    acceptor.forget(channel);
    observer.peerClosed(channel.readings());
  }

  /** Something was queued that the cycle under way may have passed by already: another one follows. */
  void keepAwake() {
    host.wakeUp();
  }

  /** Whether what is sent meanwhile, outside of its stream's turn, may wait for more of its kind. */
  void expectMore(boolean more) {
    expectsMore = more;
  }

  boolean expectsMore() {
    return expectsMore;
  }

  /** What a further path needs here comes from the memory for what it carries: more paths, no more memory (MR8). */
  void joined(Subchannel subchannel) {
    if (subchannel.further) {
      landingMemory.reserve(subchannel.memory.bytes());
    }
  }

  /** Its endpoint closes when nobody reads its rings any more: at the end of the cycle. */
  void release(Subchannel subchannel) {
    releases.add(() -> {
      handshakes(subchannel.rail).forget(subchannel.endpoint);
      if (subchannel.further && subchannel.wasLive()) {
        landingMemory.reserve(-subchannel.memory.bytes());
      }
      subchannel.release();
    });
  }

  Handshakes handshakes(Rail rail) {
    return handshakes.get(rail.index());
  }

  Acceptor acceptor() {
    return acceptor;
  }

  /** The HELLO of this node to {@code expected}. */
  Hello hello(
      Incarnation expected, Hello.Attempt attempt, long features, Authentication authentication) {
    EngineConfig.Limits limits = config.limits();
    return new Hello(
        Versions.SUPPORTED,
        features,
        new Hello.Identity(
            incarnation.high(),
            incarnation.low(),
            expected.high(),
            expected.low(),
            config.nodeName()),
        attempt,
        new Hello.Limits(
            limits.reorderWindow(),
            limits.maxMessageBytes(),
            limits.maxStreams(),
            limits.maxExchanges()),
        authentication,
        null);
  }

  /** Whether messages to some peers have to be encoded outside of their rings. */
  boolean hasPostedRail() {
    for (Rail rail : rails) {
      if (!rail.fabric().capabilities().mapped()) {
        return true;
      }
    }
    return false;
  }

  BulkRotation rotation() {
    return rotation;
  }

  LineFetching lineFetching() {
    return lineFetching;
  }

  Secrets secrets() {
    return secrets;
  }

  Greetings greetings() {
    return greetings;
  }

  Refusals refusals() {
    return refusals;
  }

  Timers timers() {
    return timers;
  }

  EngineHost.SequenceOrigins origins() {
    return host.origins();
  }

  long randomLong() {
    return host.randomLong();
  }

  public EngineConfig config() {
    return config;
  }

  public String nodeName() {
    return config.nodeName();
  }

  public Incarnation incarnation() {
    return incarnation;
  }

  public List<VirtualChannel> channels() {
    return channels;
  }

  public List<Rail> rails() {
    return rails;
  }

  public long cycles() {
    return cycles;
  }

  public long busyCycles() {
    return busyCycles;
  }

  void countRead(int messages) {
    messagesRead += messages;
  }

  /** Messages and other frames read from all rings since the engine began. */
  long messagesRead() {
    return messagesRead;
  }

  /** Messages and demand that left: what may soon be answered. */
  void countSent(long count) {
    sent += count;
  }

  /** Messages that came, demand, pieces of large ones either way: what may soon be followed by more. */
  void countArrived(long count) {
    arrived += count;
  }

  /** Sockets had something: parts of a large message, if one is awaited, come without a word of theirs. */
  void ioRan() {
    if (landingMemory.outstandingBytes() > 0) {
      countArrived(1);
    }
  }

  long sent() {
    return sent;
  }

  long arrived() {
    return arrived;
  }

  /** Time of the current duty cycle. */
  public long nowNanos() {
    return nowNanos;
  }

  /** For how long before this cycle the engine was busy: so much earlier may be what it finds in it. */
  long unseenNanos() {
    return unseenNanos;
  }
}
