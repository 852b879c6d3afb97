package io.railflux.engine;

import io.railflux.engine.base.DueReleases;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.base.FailureBursts;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Registrations;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.Timers;
import io.railflux.engine.connect.Connections;
import io.railflux.engine.connect.Refusals;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.LineFetching;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.ByteFairMerge;
import io.railflux.engine.stream.Responder;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricProvider;
import io.railflux.metrics.NodeObserver;
import io.railflux.metrics.RailEvent;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.policy.ChannelPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

// More than 400 lines: the composition root, which implements the contexts of all layers below.
/**
 * The state machine of a node, without threads, clocks and randomness of its own (D13). The driver calls
 * {@link #dutyCycle} with the current time. All other methods except {@link #execute} and {@link #inEngine} must be
 * called on the driver's thread.
 */
public final class Engine implements EngineAffinity, Connections.Host {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int POLL_LIMIT = 64;

  private final EngineConfig config;
  private final EngineHost host;
  private final Incarnation incarnation;
  private final Occupancy occupancy = new Occupancy();
  private final TaskQueue tasks = new TaskQueue(occupancy);
  private final Timers timers = new Timers();
  private final List<Rail> rails = new ArrayList<>();
  private final List<VirtualChannel> channels = new ArrayList<>();
  private final DueReleases releases = new DueReleases();
  private final Registrations registrations;
  private final LargeMemory sourceMemory;
  private final LargeMemory landingMemory;
  // Modified by any thread.
  private final Map<String, Responder> responders = new ConcurrentHashMap<>();
  private final ByteFairMerge.Rotation rotation = new ByteFairMerge.Rotation();
  private final LineFetching lineFetching = new LineFetching();
  private final ChannelDecisions channelDecisions;
  private final Glance glance = new Glance(tasks, channels);
  private final SessionMemory sessionMemory;
  private final Connections connections;
  private final FailureBursts failureBursts = new FailureBursts(this::nowNanos);
  private NodeObserver observer = NodeObserver.NONE;
  private BiConsumer<VirtualChannel, RailEvent> railListener = (channel, event) -> {};
  private long nowNanos;
  private long unseenNanos;
  private boolean worked;
  private boolean spun;
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
    this.sessionMemory = new SessionMemory(config.nodeName(), host, this::execute);
    this.registrations = new Registrations(config.large().sendBudgetBytes());
    this.sourceMemory = new LargeMemory(LargeMemory.Budget.ofSends(config), this);
    this.landingMemory = new LargeMemory(LargeMemory.Budget.ofReceives(config), this);
    this.incarnation = new Incarnation(host.randomLong() | 1, host.randomLong());
    this.channelDecisions = new ChannelDecisions(config.channels().get(), this);
    this.connections = new Connections(this);
  }

  /** Opens a fabric as the next rail. */
  public Rail addRail(FabricProvider provider) {
    sessionMemory.reserve();
    Fabric fabric = provider.open(new EngineFabricContext(this, host));
    Rail rail = new Rail(rails.size(), fabric);
    rails.add(rail);
    connections.addRail(rail);
    registrations.add(fabric);
    return rail;
  }

  /**
   * Accepts peers on a rail and returns the effective location.
   *
   * @throws IOException if the location cannot be bound, or if peers would not be authenticated there without explicit
   *     permission
   */
  public Fabric.Listening listen(Rail rail, String location) throws IOException {
    return connections.listen(rail, location);
  }

  /** Sets the listener for peers that connected to this node. */
  public void onAccepted(Consumer<VirtualChannel> listener) {
    connections.onAccepted(listener);
  }

  /**
   * Connects to a peer by the first target. The other targets join as further subchannels.
   *
   * @return an action that gives the peer up, connected or not; engine thread only
   */
  public Runnable connect(List<Rail.Target> targets, ChannelHost.Listener listener) {
    return connections.connect(targets, listener);
  }

  /** Runs all due work. Returns the amount of work done. */
  public int dutyCycle(long now) {
    unseenNanos = worked || spun ? now - nowNanos : 0;
    spun = false;
    nowNanos = now;
    lineFetching.begin(now, sent);
    expectsMore = true;
    int work = tasks.run();
    expectsMore = false;
    work += workOnChannels();
    for (int i = 0; i < rails.size(); i++) {
      work += poll(rails.get(i));
    }
    channelDecisions.notice(sent + arrived);
    work += runTimers(now);
    releaseDue();
    cycles++;
    worked = work > 0;
    if (worked) {
      busyCycles++;
    }
    return work;
  }

  /**
   * Notes that the driver does not sleep before the next cycle. Events that the next cycle finds late then occurred
   * while the engine was busy.
   */
  void spins() {
    spun = true;
  }

  /** Looks for news in {@link Glance}, at most the given number of times. */
  void glance(int looks) {
    for (int i = 0; i < looks && !glance.mayHaveArrivals(); i++) {
      Thread.onSpinWait();
    }
  }

  /** Returns whether all remaining work is visible to {@link Glance}, except timers and fabrics. */
  boolean awaitsPeers() {
    return glance.isAllThatIsLeft();
  }

  /** Returns whether a cycle may find work; always true if fabrics must be polled. */
  boolean mayHaveWork() {
    return glance.mayHaveArrivals();
  }

  /** Polls a rail. A failure of one peer, timer or user must not end the node. */
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
    } finally {
      occupancy.leave();
    }
  }

  private int workOnChannels() {
    int work = 0;
    rotation.next();
    for (int i = 0; i < channels.size(); ) {
      VirtualChannel channel = channels.get(i);
      work += work(channel);
      // If the channel ended, the next channel has taken its place.
      if (i < channels.size() && channels.get(i) == channel) {
        i++;
      }
    }
    // Pipelines may have sent messages of one peer to another peer that had its turn before.
    for (int i = 0; i < channels.size(); i++) {
      publish(channels.get(i));
    }
    occupancy.leave();
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
      channel.publishGathered();
    } catch (Throwable e) {
      fault(channel, e);
    }
  }

  private static void fault(VirtualChannel channel, Throwable e) {
    LOG.error("{}: unexpected failure, the channel ends", channel.description(), e);
    channel.fault(e);
  }

  private void releaseDue() {
    if (releases.run() && channels.isEmpty()) {
      releases.add(registrations::clear);
      releases.run();
    }
  }

  /** Runs the action when the endpoints released so far are closed, so that their memory is unused. */
  @Override
  public void afterRelease(Runnable action) {
    releases.addAfterwards(action);
  }

  /** Runs {@code task} on another thread, then {@code next} on the engine thread. */
  @Override
  public void aside(Runnable task, Runnable next) {
    host.aside(() -> {
      try {
        task.run();
      } finally {
        execute(next);
      }
    });
  }

  /** Returns the memory in which large messages are encoded. */
  @Override
  public LargeMemory sourceMemory() {
    return sourceMemory;
  }

  /** Returns the memory in which large messages arrive. */
  @Override
  public LargeMemory landingMemory() {
    return landingMemory;
  }

  /** Returns the bytes that large messages occupy, including messages that their owners have not closed. Any thread. */
  public long largeMessageBytes() {
    return sourceMemory.outstandingBytes() + landingMemory.outstandingBytes();
  }

  /** Returns the bytes of past large messages that are retained for reuse, within the same budgets. Any thread. */
  public long keptMessageBytes() {
    return sourceMemory.retainedBytes() + landingMemory.retainedBytes();
  }

  /** Releases retained memory for a message that finds no memory. Returns the number of bytes released. */
  @Override
  public long giveUpKept() {
    return registrations.clear() + sourceMemory.giveUpKept() + landingMemory.giveUpKept();
  }

  /** Returns the registrations of buffers with the rails. */
  @Override
  public Registrations registrations() {
    return registrations;
  }

  /**
   * Returns the size of the largest message that goes through a ring of the given size: the configured limit, or the
   * limit that suits all rails.
   */
  @Override
  public int eagerLimitBytes(int peerRingBytes) {
    int most =
        Math.min(config.limits().maxEagerBytes(), EngineConfig.Limits.maxEagerBytes(peerRingBytes));
    if (config.large().hasEagerLimit()) {
      return Math.min(most, config.large().eagerLimitBytes());
    }
    for (Rail rail : rails) {
      most = Math.min(most, Math.max(1, rail.capabilities().eagerLimitBytes()));
    }
    return most;
  }

  @Override
  public ChannelPolicy channelPolicy() {
    return channelDecisions.policy();
  }

  /** Returns whether there is neither a peer nor a waiting task. */
  public boolean hasNoTaskOrPeer() {
    return channels.isEmpty() && tasks.isEmpty();
  }

  /** Arms all fabrics to wake the engine. The caller must look for work again before it sleeps. */
  public void arm() {
    rails.forEach(rail -> rail.fabric().arm());
  }

  public void disarm() {
    rails.forEach(rail -> rail.fabric().disarm());
  }

  /** Returns the nanoseconds until the next timer is due; {@link Long#MAX_VALUE} if there is none. */
  public long untilNextTimerNanos(long now) {
    return timers.untilNextNanos(now);
  }

  /** Stops accepting and connecting to peers. Existing peers stay. */
  public void leave(String reason) {
    connections.leave(reason);
  }

  /** Ends everything immediately: streams fail; endpoints, regions and listeners are closed. */
  public void close(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    leave(reason);
    new ArrayList<>(channels).forEach(channel -> channel.abort(reason));
    releaseDue();
    connections.close();
    registrations.close();
    rails.forEach(rail -> rail.fabric().close());
    sourceMemory.close();
    landingMemory.close();
    observer.nodeClosed();
  }

  /** Runs tasks that were submitted after the end. Returns their number. */
  int runLeftovers() {
    return tasks.run();
  }

  /** Returns the owner of the currently running user code. */
  @Override
  public Occupancy occupancy() {
    return occupancy;
  }

  @Override
  public boolean inEngine() {
    return host.inEngine();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    host.wakeUp();
  }

  /** Serves a route for every peer. Returns false if the name is taken. Any thread. */
  public boolean respond(String name, Responder responder) {
    return responders.putIfAbsent(name, responder) == null;
  }

  public void stopResponding(String name, Responder responder) {
    responders.remove(name, responder);
  }

  @Override
  public Responder responder(String name) {
    return responders.get(name);
  }

  @Override
  public Collection<String> names() {
    return responders.keySet();
  }

  /** Sets the observer of peers and streams. */
  public void observe(NodeObserver newObserver) {
    observer = new Guarded.Observer(newObserver);
  }

  /** Sets the listener for events of paths. The listener runs on the engine thread. */
  public void onRailEvent(BiConsumer<VirtualChannel, RailEvent> listener) {
    railListener = listener;
  }

  @Override
  public void railChanged(VirtualChannel channel, RailEvent event) {
    railListener.accept(channel, event);
  }

  @Override
  public NodeObserver observer() {
    return observer;
  }

  @Override
  public void add(VirtualChannel channel) {
    channels.add(channel);
    channelDecisions.add(channel);
    observer.peerOpened(channel.readings());
  }

  @Override
  public void forget(VirtualChannel channel) {
    if (channels.remove(channel)) {
      channelDecisions.forget(channel);
      sessionMemory.sessionEnds();
    }
    connections.forget(channel);
    observer.peerClosed(channel.readings());
  }

  /** Requests another cycle for work that the current cycle may have passed already. */
  @Override
  public void keepAwake() {
    host.wakeUp();
  }

  /** Sets whether messages sent outside of their stream's turn may wait for further messages. */
  @Override
  public void expectMore(boolean more) {
    expectsMore = more;
  }

  @Override
  public boolean expectsMore() {
    return expectsMore;
  }

  /**
   * The local memory of a further path comes out of the memory for large messages: more paths use no more memory (MR8).
   */
  @Override
  public void joined(Subchannel subchannel) {
    if (subchannel.further) {
      landingMemory.reserve(subchannel.registeredBytes());
    }
  }

  /** Closes the endpoint at the end of the cycle, when no ring is being read. */
  @Override
  public void release(Subchannel subchannel) {
    releases.add(() -> {
      connections.forget(subchannel);
      if (subchannel.further && subchannel.wasLive()) {
        landingMemory.reserve(-subchannel.registeredBytes());
      }
      subchannel.release();
    });
  }

  @Override
  public SessionMemory sessionMemory() {
    return sessionMemory;
  }

  /** Returns whether messages to some peers must be encoded outside of their rings. */
  @Override
  public boolean hasPostedRail() {
    for (Rail rail : rails) {
      if (!rail.capabilities().mapped()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public ByteFairMerge.Rotation rotation() {
    return rotation;
  }

  @Override
  public boolean fetchesLines() {
    return lineFetching.fetches();
  }

  @Override
  public void forged(Subchannel subchannel) {
    connections.refusals().forged(subchannel);
  }

  @Override
  public void violated(String peerHost, String what) {
    connections.refusals().violated(peerHost, what);
  }

  public LineFetching lineFetching() {
    return lineFetching;
  }

  public Connections connections() {
    return connections;
  }

  /** Returns the refused frames and handshakes, for metrics. */
  public Refusals refusals() {
    return connections.refusals();
  }

  @Override
  public void subscriptionFailed(String subject) {
    failureBursts.failed(subject);
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public EngineHost.SequenceOrigins origins() {
    return host.origins();
  }

  @Override
  public long randomLong() {
    return host.randomLong();
  }

  @Override
  public EngineConfig config() {
    return config;
  }

  @Override
  public String nodeName() {
    return config.nodeName();
  }

  @Override
  public Incarnation incarnation() {
    return incarnation;
  }

  @Override
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

  @Override
  public void countRead(int messages) {
    messagesRead += messages;
  }

  /** Returns the number of messages and other frames read from all rings since the start of the engine. */
  long messagesRead() {
    return messagesRead;
  }

  /** Counts sent messages and demand, which may soon be answered. */
  @Override
  public void countSent(long count) {
    sent += count;
  }

  /** Counts arrived messages, demand and pieces of large messages in both directions. More may follow soon. */
  @Override
  public void countArrived(long count) {
    arrived += count;
  }

  /** Handles socket activity: parts of a large message arrive without an event of their own. */
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

  /** Returns the time of the current duty cycle. */
  @Override
  public long nowNanos() {
    return nowNanos;
  }

  /**
   * Returns for how long the engine was busy before this cycle. Events found in this cycle may be older by that time.
   */
  @Override
  public long unseenNanos() {
    return unseenNanos;
  }
}
