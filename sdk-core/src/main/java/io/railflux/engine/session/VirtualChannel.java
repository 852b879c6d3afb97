package io.railflux.engine.session;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.LargeTraffic;
import io.railflux.engine.path.Path;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.path.SubchannelMemory;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.ring.SendLog;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.CreditPatience;
import io.railflux.engine.send.FrameOwner;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.session.SessionLifecycle.State;
import io.railflux.engine.stream.ByteFairMerge;
import io.railflux.engine.stream.Streams;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.ChannelStatus;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.StreamStatus;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.AddressesFrame;
import io.railflux.wire.ResumeInfo;
import io.railflux.wire.handshake.Hello;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

// More than 400 lines: the composition root of a session and the session's interface for the layers
// above.
/**
 * The association of two peers over any number of subchannels (MR1): builds the parts of a session and connects them.
 * {@link #work} runs one duty cycle of the peer's whole pipeline. Engine thread only.
 */
public final class VirtualChannel {

  private static final Logger LOG = LoggerFactory.getLogger(VirtualChannel.class);
  private static final int POLL_LIMIT = 256;

  /** Longer cycles indicate slow codecs or many peers. Gathering messages over several such cycles would delay them. */
  private static final long SHORT_CYCLE_NANOS = 200_000;

  /**
   * The agreed parameters of both sides and the identity of the peer.
   *
   * @param key session key for rails that join later; null without a secret
   * @param role role of this side
   */
  @SuppressWarnings("ArrayRecordComponent") // A key: never compared, never changed.
  public record Session(
      Incarnation peer,
      String peerName,
      long ownFirstPsn,
      Hello hello,
      int peerRingBytes,
      byte[] key,
      Role role) {

    /** Returns whether both sides replace rings. This side always does. */
    boolean changesRings() {
      return hello.changesRings();
    }

    /** Returns the size of the largest ring that the peer grants. */
    public int maxPeerRingBytes() {
      return hello.largestRingBytes(peerRingBytes);
    }

    /** Returns the number of the session at the peer. */
    public int epoch() {
      return hello.attempt().epoch();
    }

    /** Returns the sequence number of the peer's first frame. */
    public long peerFirstPsn() {
      return hello.attempt().firstPsn();
    }
  }

  private final ChannelHost engine;
  private final Session session;
  private final ByteFairMerge.Rotation rotation;
  private final SessionLifecycle lifecycle;
  private final PathRepository paths = new PathRepository();
  private final List<Subchannel> live = paths.live();
  private final SendLog log;
  private final SendPath sendPath;
  private final ControlQueue control;
  private final MessageChannels messageChannels;
  private final HeldFrames.Budget holdBudget;
  private final ReceiveWindow received;
  private final ReceivePath receivePath;
  private final RendezvousProtocol rendezvous;
  private final Streams streams;
  private final RailRecovery recovery;
  private final SubchannelMemory.Spares spares = new SubchannelMemory.Spares();
  private final Liveness liveness;
  private final Closing closing;
  private final AddressBook addresses;
  private final ChannelReadings readings;
  private ChannelHost.RailKeeper rails;
  private boolean moreFollows;
  private boolean stepped;

  public VirtualChannel(ChannelHost engine, Session session, boolean needsLog) {
    this.engine = engine;
    this.session = session;
    this.rotation = engine.rotation();
    EngineConfig config = engine.config();
    EngineConfig.Limits own = config.limits();
    EngineConfig.Timing timing = config.timing();
    Hello.Limits theirs = session.hello.limits();
    this.lifecycle = new SessionLifecycle(engine, engine::violated, session.peerName, paths);
    ChannelKind first =
        session.changesRings() ? engine.channelPolicy().initial() : ChannelKind.DEDICATED_RING;
    this.log = needsLog ? new SendLog(own.logBytes(own.ringBytes(first))) : null;
    this.received = new ReceiveWindow(own.reorderWindow(), session.peerFirstPsn());
    this.sendPath = sendPath(config, theirs);
    this.control = new ControlQueue(sendPath);
    this.messageChannels = new MessageChannels(
        lifecycle,
        control,
        sendPath,
        new MessageChannels.Terms(session.changesRings(), first),
        text -> report(Kind.CHANNEL_CHANGED, null, text));
    // The peer keeps to twice the size of this side's ring. Headers and control frames need
    // additional room.
    this.holdBudget = new HeldFrames.Budget(4L * own.ringBytes());
    this.rendezvous = new RendezvousProtocol(lifecycle, control, sendPath);
    this.streams = new Streams(
        lifecycle, control, sendPath, rendezvous, holdBudget, engine, theirs.maxExchanges());
    this.receivePath = new ReceivePath(
        lifecycle,
        new Frames(),
        streams,
        rendezvous,
        messageChannels,
        sendPath,
        received,
        holdBudget);
    this.recovery = new RailRecovery(
        lifecycle,
        timing,
        control,
        sendPath,
        lost -> received.resume(session.epoch(), lost),
        this::settled);
    this.liveness = new Liveness(lifecycle, timing, session.role);
    this.closing = new Closing(lifecycle, streams, control, sendPath.window(), timing.drainNanos());
    this.addresses = new AddressBook(lifecycle, control);
    this.readings = new ChannelReadings(lifecycle, messageChannels, sendPath, log);
    lifecycle.begin(new Parts());
  }

  private SendPath sendPath(EngineConfig config, Hello.Limits theirs) {
    EngineConfig.Limits own = config.limits();
    int windowSize = Integer.highestOneBit(Math.min(own.reorderWindow(), theirs.reorderWindow()));
    int maxMessage = Math.min(own.maxMessageBytes(), theirs.maxMessageBytes());
    return new SendPath(
        live,
        new Striper(config.striping().get(), live),
        new SendWindow(windowSize, session.ownFirstPsn, log),
        log,
        received,
        new CreditPatience(engine),
        SendPath.Bounds.of(engine, session.maxPeerRingBytes(), maxMessage));
  }

  /** Acts on all parts together. */
  private final class Parts implements SessionLifecycle.Parts {

    @Override
    public void end(StreamFailure failure) {
      VirtualChannel.this.end(failure);
    }

    @Override
    public void failSubchannel(Subchannel subchannel, String reason) {
      VirtualChannel.this.failSubchannel(subchannel, reason);
    }

    @Override
    public boolean isReplaying() {
      return recovery.isReplaying();
    }

    @Override
    public PeerReadings readings() {
      return readings;
    }
  }

  /** Passes the frames that concern the session to its parts. */
  private final class Frames implements ReceivePath.SessionFrames {

    @Override
    public void onResume(ResumeInfo resume) throws ProtocolViolation {
      recovery.onResume(resume);
    }

    @Override
    public void onRetire(int subchannelId) {
      if (!isConnector()) {
        recovery.onRetire(subchannelId);
      }
    }

    @Override
    public void onAddresses(AddressesFrame frame) {
      addresses.received(frame);
    }

    @Override
    public void onClosing(String reason) {
      closing.onPeerBegin(reason);
    }

    @Override
    public void onGoodbye() {
      closing.onGoodbye();
    }

    @Override
    public void onAborted(String text) {
      lose(new StreamFailure(StreamFailure.Kind.CLOSED, description() + " left: " + text));
    }

    @Override
    public void onForged(Subchannel subchannel) {
      engine.forged(subchannel);
      failSubchannel(subchannel, "received a frame that the peer did not seal");
    }
  }

  /**
   * Runs one duty cycle: reads and handles arrived frames, then advances recovery and replays, then sends control
   * frames, requests and messages, in this order. Returns the amount of work done.
   */
  public int work() {
    lifecycle.beginCycle();
    // Frames that tasks have sent.
    sendPath.publishGathered();
    int work = 0;
    // Arrived frames may require answers, and posted frames include them: gathering must not delay
    // an answer.
    int answering = 0;
    for (int i = 0; i < live.size() && state() != State.CLOSED; i++) {
      Subchannel subchannel = live.get(i);
      // Before the words are read: a sender that awaits an answer waits for this frame.
      answering += receivePath.read(subchannel, POLL_LIMIT);
      work += receivePath.takePositions(subchannel) ? 1 : 0;
    }
    if (state() != State.CLOSED) {
      work += send(answering);
    }
    lifecycle.endCycle();
    closing.work();
    lifecycle.endIfDue();
    return work + answering;
  }

  /**
   * Advances recovery and replays, then sends control frames, requests and messages. Returns the amount of work done.
   *
   * @param read number of messages and other frames read in this cycle
   */
  private int send(int read) {
    int replayed = recovery.work();
    int switched = messageChannels.work();
    int answers = control.flush();
    int steps = replayed + switched + rendezvous.work();
    stepped = steps > 0;
    if (streams.hasTurns()) {
      // Sends outside of a turn use the known room only. A stream's turn uses all available room.
      sendPath.lookForRoom();
    }
    int turns = 0;
    if (!recovery.isReplaying()) {
      answers += streams.exchanges().flush();
      turns = streams.drainTurns(rotation);
    }
    // Last, because the cycle may end without another one.
    answers += messageChannels.ask() ? 1 : 0;
    FrameOwner bulk = sendPath.takeSoleOwner();
    moreFollows = read + answers + steps == 0 && bulk != null && mayContinue(bulk);
    int flushed = flush();
    if (receivePath.takeHeartbeat()) {
      liveness.answered();
    }
    return answers + steps + turns + flushed;
  }

  /**
   * Returns whether the channel only awaits the peer. No stream waits for a turn, no control frame waits for the next
   * cycle, and all posted frames were announced. The last cycle took no replay or transfer steps.
   */
  public boolean awaitsPeer() {
    return !stepped && !streams.hasTurns() && control.waiting() == 0 && !sendPath.hasPosted();
  }

  /** Returns whether the only sending stream, over the only path, is likely to send again soon. */
  private boolean mayContinue(FrameOwner bulk) {
    return live.size() == 1
        && streams.isAlone(bulk)
        && rotation.allHaveTurnsInEachCycle()
        && engine.unseenNanos() <= SHORT_CYCLE_NANOS;
  }

  /**
   * Returns whether publication of posted frames may wait for further frames. All frames posted since the last cycle
   * then belong to one stream that continues, and no arrived frame may require an answer.
   */
  public boolean moreFollows() {
    return moreFollows;
  }

  private int flush() {
    int flushed = 0;
    long expected = received.expected();
    for (int i = 0; i < live.size(); i++) {
      flushed += live.get(i).flush(expected, engine.nowNanos(), moreFollows);
    }
    return flushed;
  }

  /** Publishes messages that pipelines sent outside of this channel's cycle. */
  public void publishGathered() {
    sendPath.publishGathered();
  }

  /** Applies credit and acknowledgement of the peer, from words or from a frame. */
  public void onPositions(Subchannel subchannel, long credit, long ackPsn)
      throws ProtocolViolation {
    receivePath.onPositions(subchannel, credit, ackPsn);
  }

  /** Adds a subchannel that completed its handshake. */
  public void add(Subchannel subchannel) {
    subchannel.goesLive(engine.nowNanos());
    engine.joined(subchannel);
    Path path = paths.joined(subchannel);
    spares.joined(live);
    messageChannels.joined(subchannel);
    sendPath.lookForRoom();
    sendPath.striper().weigh();
    report(Kind.JOINED, path, subchannel.protection());
    liveness.start();
    if (lifecycle.resumes()) {
      LOG.info("{} is connected again over {}: its streams resume", description(), subchannel);
      report(Kind.RESUMED, null, "");
    }
  }

  /** Takes a subchannel out of service; {@code reason} is logged and reported. */
  public void failSubchannel(Subchannel subchannel, String reason) {
    // Must come first: gathered frames go over the failing rail and take part in its recovery.
    sendPath.lookForRoom();
    Path path = paths.lost(subchannel, reason);
    if (path != null) {
      rendezvous.lost(subchannel);
    }
    recovery.fail(subchannel, reason);
    if (path == null || state() == State.CLOSED) {
      return;
    }
    sendPath.striper().weigh();
    report(subchannel.isGivenUp() ? Kind.REMOVED : Kind.LOST, path, subchannel.failure());
    if (live.isEmpty() && lifecycle.pauses()) {
      LOG.info("{} has no rail left: its streams pause", description());
      report(Kind.PAUSED, null, "");
    }
    liveness.lost(subchannel);
    if (rails != null) {
      rails.lost(subchannel);
    }
  }

  /**
   * Reports an event of a path to the engine.
   *
   * @param path the path; null if the event concerns all paths
   */
  public void report(Kind kind, Path path, String text) {
    int number = path == null ? RailEvent.ALL_PATHS : path.number;
    report(new RailEvent(kind, peerName(), number, path == null ? "" : path.toString(), text));
  }

  public void report(RailEvent event) {
    engine.railChanged(this, event);
  }

  /**
   * Handles the fence of a failed subchannel: nothing lands any more. All frames that reached the ring before the fence
   * count as received.
   */
  public void drained(Subchannel subchannel) {
    if (subchannel.state() != Subchannel.State.FENCING) {
      return;
    }
    int read;
    do {
      read = receivePath.read(subchannel, Integer.MAX_VALUE);
    } while (read > 0 && !isClosed());
    if (!isClosed()) {
      if (subchannel.wasLive()) {
        rendezvous.drained(subchannel);
      }
      recovery.fenced(subchannel);
    }
  }

  /** Retires a subchannel when each side knows the frames that the other side received. */
  private void settled(Subchannel subchannel) {
    if (subchannel.path() != null) {
      paths.settled(subchannel);
      report(Kind.SETTLED, subchannel.path(), "");
    }
    retire(subchannel);
  }

  private void retire(Subchannel subchannel) {
    subchannel.become(Subchannel.State.RETIRED);
    engine.release(subchannel);
  }

  /** Ends the channel. Inside a duty cycle, the end takes effect after the cycle, when no ring is being read. */
  public void lose(StreamFailure failure) {
    lifecycle.lose(failure);
  }

  /** Ends the channel after a failed duty cycle. */
  public void fault(Throwable cause) {
    lifecycle.fault(cause);
  }

  private void end(StreamFailure failure) {
    if (failure.kind() == StreamFailure.Kind.CLOSED && closing.announceAbort(failure.farewell())) {
      moreFollows = false;
      flush();
    }
    lifecycle.closed();
    liveness.stop();
    if (rails != null) {
      rails.stop();
    }
    rendezvous.end();
    streams.failAll(failure);
    sendPath.lookForRoom();
    paths.clear().forEach(this::retire);
    spares.close();
    recovery.close().forEach(this::retire);
    // A retained reference to the peer must not retain the memory of its session.
    engine.afterRelease(() -> {
      receivePath.end();
      sendPath.end();
      if (rails != null) {
        rails.ended();
      }
    });
    engine.forget(this);
    closing.ended(failure);
  }

  /** Drains and closes the channel. {@code done} receives the cause, or null if the drain was complete. */
  public void close(Consumer<StreamFailure> done) {
    closing.begin(done);
  }

  /** Ends the channel immediately. The outcome of unacknowledged messages is unknown to their senders. */
  public void abort(String reason) {
    abort(reason, reason);
  }

  public void abort(String reason, String farewell) {
    lose(new StreamFailure(StreamFailure.Kind.CLOSED, reason, farewell));
  }

  /**
   * Adds a listener for the end of the channel. If the channel has ended, the listener runs immediately with the cause.
   * Returns an action that removes the listener, for the engine thread.
   */
  public Runnable onEnd(Consumer<StreamFailure> listener) {
    return closing.onEnd(listener);
  }

  /**
   * Adds a listener for the begin of the end: this side or the peer begins to drain, or the channel ends. If that has
   * happened, the listener runs immediately. Returns an action that removes the listener, for the engine thread.
   */
  public Runnable onClosing(Runnable listener) {
    return closing.onBegin(listener);
  }

  public boolean isClosing() {
    return lifecycle.isClosing();
  }

  public boolean isClosed() {
    return lifecycle.isClosed();
  }

  public State state() {
    return lifecycle.state();
  }

  /** Returns the exception for operations on a channel that is ending or has ended. */
  public PeerClosedException closedError(String what) {
    return lifecycle.closedError(what);
  }

  /** Describes the peer, the name of its node and its current or last location, for messages. Any thread. */
  public String description() {
    return lifecycle.description();
  }

  public String peerName() {
    return session.peerName;
  }

  public Incarnation peer() {
    return session.peer;
  }

  /** Returns the parameters that both sides agreed on. */
  public Session session() {
    return session;
  }

  /** Describes the paths in use and their targets, for messages. Any thread. */
  public String explainRails() {
    return paths.explain();
  }

  /** Returns the status of every path to the peer, including lost paths. Any thread. */
  public List<RailStatus> rails() {
    return paths.status();
  }

  /**
   * Returns the state of all streams and of routes with open requests. Any thread.
   *
   * @param nowNanos the time, by the clock of the engine
   */
  public List<StreamStatus> streamStatus(long nowNanos) {
    return streams.directory().statuses(nowNanos, isConnected());
  }

  /** Returns one indented line for each stream, see {@link #streamStatus}. Any thread. */
  public String explainStreams(long nowNanos) {
    return streams.directory().explain(nowNanos, isConnected());
  }

  private boolean isConnected() {
    return paths.status().stream().anyMatch(RailStatus::available);
  }

  /** Sets the policy that selects paths for new messages. Messages under way keep their paths. */
  public void striping(StripingPolicy policy) {
    sendPath.striper().use(policy);
    report(Kind.POLICY_CHANGED, null, policy.toString());
  }

  /** Returns the kind of channel on which the peer sends to this node, or will send after an open switch. Any thread. */
  public ChannelKind channelKind() {
    return messageChannels.kind();
  }

  /**
   * Sets the kind of channel on which the peer sends to this node. A session whose peer does not replace rings keeps
   * its channel.
   *
   * @param gainPerMessageNanos expected reduction of latency, for display; 0 if unknown
   */
  public void chooseChannel(ChannelKind kind, double gainPerMessageNanos) {
    messageChannels.choose(kind, gainPerMessageNanos);
  }

  /**
   * Returns the state of the message channels. Any thread.
   *
   * @param nowNanos the time, by the clock of the engine
   */
  public ChannelStatus channelStatus(long nowNanos) {
    return messageChannels.status(nowNanos);
  }

  /** Returns the number of rings that replaced another, in both directions. Any thread. */
  public long channelSwitches() {
    return messageChannels.switches();
  }

  /** Returns whether a message waits for a larger ring of the peer. It may expire meanwhile, without an event. */
  public boolean awaitsRing() {
    return messageChannels.awaitsRing();
  }

  /** No message arrived for a long time. */
  public void channelQuiet() {
    messageChannels.quiet();
  }

  public ChannelCounters counters() {
    return lifecycle.counters();
  }

  public PeerReadings readings() {
    return readings;
  }

  public Streams streams() {
    return streams;
  }

  public EngineContext engine() {
    return engine;
  }

  /** Returns the bytes of frames that wait for earlier frames (MR4). Bounded by four times this side's ring. */
  public long heldBytes() {
    return holdBudget.takenBytes();
  }

  /** Returns the number of large messages under way in both directions. */
  public int largeMessages() {
    return rendezvous.sends().underWay() + rendezvous.receives().underWay();
  }

  /** Returns the traffic of large messages, for measurements of its rate. */
  public LargeTraffic largeTraffic() {
    return rendezvous.traffic();
  }

  public int maxMessageBytes() {
    return sendPath.maxMessageBytes();
  }

  public ChannelHost.RailKeeper railKeeper() {
    return rails;
  }

  public AddressBook addresses() {
    return addresses;
  }

  /** Returns whether this side establishes the connections. */
  public boolean isConnector() {
    return rails != null && rails.isConnector();
  }

  /** Sets the keeper of the channel's rails. Must be called before the first loss of a rail. */
  public void keepRails(ChannelHost.RailKeeper keeper) {
    rails = keeper;
  }

  /** Returns whether the session has the maximum number of subchannels, live or lost and not settled. */
  public boolean isFull() {
    return recovery.isFull();
  }

  /** Returns whether the peer fenced the subchannel before its HELLO was read here. */
  public boolean isGivenUpByPeer(int subchannelId) {
    return recovery.isGivenUpByPeer(subchannelId);
  }

  /** Gives a subchannel up that this side connected. */
  public void giveUp(int subchannelId, String reason) {
    recovery.giveUp(subchannelId, reason);
  }

  /** Keeps the memory of a subchannel for its successor when the subchannel is lost. */
  public void adopt(SubchannelMemory memory) {
    spares.adopt(memory);
  }

  /** Returns memory that a lost subchannel left, or null. */
  public SubchannelMemory spareMemory(SubchannelMemory.Layout layout) {
    return spares.take(layout);
  }

  /** Returns whether a subchannel that sends from the log has to bring the memory of the log. */
  public boolean lacksLog() {
    return log != null && !log.isAllocated();
  }

  /** Returns the size of the log. */
  public int logBytes() {
    return log.size();
  }

  /** Sets the memory of the log. */
  public void reserveLog(ByteBuffer memory) {
    log.reserve(memory);
  }

  public ByteBuffer logMemory() {
    return log.memory();
  }

  /**
   * Prepares for a subchannel over a rail of this kind. Returns false if frames under way in shared memory have no room
   * in the log now.
   */
  public boolean admits(boolean mapped) {
    if (!mapped && !sendPath.leaveRings()) {
      return false;
    }
    paths.joins(mapped);
    return true;
  }

  public RendezvousProtocol rendezvous() {
    return rendezvous;
  }

  public SendPath sendPath() {
    return sendPath;
  }

  public ControlQueue control() {
    return control;
  }

  public RailRecovery recovery() {
    return recovery;
  }

  /** Returns whether the path is known, and a path over the same rail to the same host is unavailable. */
  public boolean isOneLostBeside(Path path) {
    return paths.has(path) && paths.isOneLostBeside(path);
  }

  public List<Subchannel> live() {
    return live;
  }

  public boolean hasLiveRail() {
    return !live.isEmpty();
  }
}
