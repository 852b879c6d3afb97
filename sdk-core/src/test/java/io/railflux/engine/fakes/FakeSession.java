package io.railflux.engine.fakes;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.ring.SendLog;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.CreditPatience;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.stream.ByteFairMerge;
import io.railflux.engine.stream.Responder;
import io.railflux.engine.stream.Streams;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.fabric.Capabilities;
import io.railflux.metrics.PeerReadings;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of a session with its paths, send path, large messages and streams. The test reads the sent frames and
 * passes frames of the peer to the parts.
 */
public final class FakeSession implements SessionContext {

  public final FakeEngineContext engine;
  public final PathRepository paths = new PathRepository();
  public final List<FakeRail> rails = new ArrayList<>();
  public final SendLog log;
  public final SendWindow window;
  public final ReceiveWindow received;
  public final Striper striper;
  public final SendPath sendPath;
  public final ControlQueue control;
  public final RendezvousProtocol rendezvous;
  public final HeldFrames.Budget holdBudget;
  public final Streams streams;

  /** Responders by route. */
  public final Map<String, Responder> responders = new HashMap<>();

  public final ByteFairMerge.Rotation rotation = new ByteFairMerge.Rotation();
  public final List<String> violations = new ArrayList<>();

  /** Reasons of {@link #failSubchannel}. */
  public final List<String> failedRails = new ArrayList<>();

  public boolean replaying;
  public boolean closing;
  public boolean closed;

  private final ChannelCounters counters;
  private final long firstPsn;

  public FakeSession() {
    this(new FakeEngineContext());
  }

  public FakeSession(FakeEngineContext engine) {
    this(engine, 0);
  }

  public FakeSession(FakeEngineContext engine, long firstPsn) {
    this(engine, firstPsn, engine.config().limits().maxExchanges());
  }

  /** @param peerExchanges number of requests that the peer answers at once */
  public FakeSession(FakeEngineContext engine, long firstPsn, int peerExchanges) {
    this.engine = engine;
    this.firstPsn = firstPsn;
    EngineConfig.Limits limits = engine.config().limits();
    counters = new ChannelCounters(engine);
    log = new SendLog(limits.logBytes());
    window = new SendWindow(limits.reorderWindow(), firstPsn, log);
    received = new ReceiveWindow(limits.reorderWindow(), firstPsn);
    striper = new Striper(engine.config().striping().get(), paths.live());
    sendPath = new SendPath(
        paths.live(),
        striper,
        window,
        log,
        received,
        new CreditPatience(engine),
        SendPath.Bounds.of(engine, limits.ringBytes(), limits.maxMessageBytes()));
    control = new ControlQueue(sendPath);
    rendezvous = new RendezvousProtocol(this, control, sendPath);
    holdBudget = new HeldFrames.Budget(4L * limits.ringBytes());
    streams = new Streams(
        this, control, sendPath, rendezvous, holdBudget, new FakeRoutes(), peerExchanges);
  }

  /** Returns a session over one live rail. */
  public static FakeSession over(Capabilities capabilities) {
    FakeSession session = new FakeSession();
    session.join(capabilities);
    return session;
  }

  /** Adds a live rail. */
  public FakeRail join(Capabilities capabilities) {
    return join(new FakeRail(
        engine, capabilities, rails.size(), engine.config().limits().ringBytes()));
  }

  public FakeRail join(FakeRail rail) {
    boolean mapped = rail.fabric.capabilities().mapped();
    if (!mapped) {
      sendPath.leaveRings();
      engine.hasPostedRail = true;
    }
    engine.registrations().add(rail.fabric);
    rails.add(rail);
    paths.joins(mapped);
    rail.attach(mapped ? null : log.memory(), firstPsn);
    rail.subchannel.goesLive(engine.nowNanos());
    paths.joined(rail.subchannel);
    sendPath.lookForRoom();
    striper.weigh();
    return rail;
  }

  /** Runs one duty cycle without reads: control frames, large messages, requests and turns of streams. */
  public int work() {
    int work = control.flush() + rendezvous.work();
    if (streams.hasTurns()) {
      sendPath.lookForRoom();
    }
    if (!replaying) {
      work += streams.exchanges().flush();
      rotation.next();
      work += streams.drainTurns(rotation);
    }
    return work;
  }

  /** Returns the sent frames since the last call, ordered by sequence number. */
  public List<SentFrame> sent() {
    sendPath.publishGathered();
    List<SentFrame> frames = new ArrayList<>();
    rails.forEach(rail -> frames.addAll(rail.sent()));
    frames.sort(Comparator.comparingLong(frame -> frame.psn() - firstPsn));
    return frames;
  }

  /** Returns the names of the types of {@link #sent()}. */
  public List<String> sentTypes() {
    return sent().stream().map(SentFrame::name).toList();
  }

  /** Reads and acknowledges all sent frames as the peer. */
  public void acknowledgeAll() {
    sent();
    rails.forEach(FakeRail::credit);
    rails.forEach(FakeRail::complete);
    window.acknowledge(window.next());
  }

  @Override
  public EngineContext engine() {
    return engine;
  }

  @Override
  public String description() {
    return "peer 'far' (fake)";
  }

  @Override
  public String peerName() {
    return "far";
  }

  @Override
  public ChannelCounters counters() {
    return counters;
  }

  /** All values are 0. */
  @Override
  public PeerReadings readings() {
    return (PeerReadings) Proxy.newProxyInstance(
        PeerReadings.class.getClassLoader(),
        new Class<?>[] {PeerReadings.class},
        (proxy, method, arguments) -> method.getReturnType() == long.class ? 0L : "fake");
  }

  @Override
  public List<Subchannel> live() {
    return paths.live();
  }

  @Override
  public PathRepository paths() {
    return paths;
  }

  @Override
  public boolean isReplaying() {
    return replaying;
  }

  @Override
  public boolean isClosing() {
    return closing;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public PeerClosedException closedError(String what) {
    return new PeerClosedException(what + ": " + description() + " is closed");
  }

  @Override
  public void violated(String what) {
    violations.add(what);
  }

  @Override
  public void failSubchannel(Subchannel subchannel, String reason) {
    sendPath.lookForRoom();
    if (paths.lost(subchannel, reason) != null) {
      failedRails.add(reason);
      rendezvous.lost(subchannel);
      subchannel.fail(reason);
    }
  }

  private final class FakeRoutes implements Responder.Routes {

    @Override
    public Responder responder(String route) {
      return responders.get(route);
    }

    @Override
    public Collection<String> names() {
      return responders.keySet();
    }
  }
}
