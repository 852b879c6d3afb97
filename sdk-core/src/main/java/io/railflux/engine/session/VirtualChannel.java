package io.railflux.engine.session;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Path;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.ring.SendLog;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.CreditPatience;
import io.railflux.engine.send.FrameOwner;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.ReceiveWindow;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.stream.Streams;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.metrics.RailStatus;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import io.railflux.wire.handshake.Hello;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

// More than 400 lines: the composition root of a session, which implements the context of its
// layers.
/**
 * The association of two peers over any number of subchannels (MR1). {@link #work} runs one duty cycle of the peer's
 * whole pipeline. Engine thread only.
 */
public final class VirtualChannel implements SessionContext {

  /**
   * Life of a virtual channel. Allowed transitions:
   *
   * <pre>
   *   ESTABLISHED --last subchannel lost--> PAUSED
   *   PAUSED      --subchannel live-------> ESTABLISHED
   *   ESTABLISHED, PAUSED --close---------> CLOSING
   *   any other   --abort, drained, lost--> CLOSED
   * </pre>
   */
  public enum State {
    ESTABLISHED,
    /** No live rail: streams pause, no data is lost, and memory stays bounded (FT5). */
    PAUSED,
    /** Draining: accepted messages are delivered, new messages are not accepted. */
    CLOSING,
    CLOSED;

    public boolean canBecome(State next) {
      return switch (this) {
        case ESTABLISHED -> next != ESTABLISHED;
        case PAUSED -> next != PAUSED;
        case CLOSING -> next == CLOSED;
        case CLOSED -> false;
      };
    }
  }

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
      Role role) {}

  private final ChannelHost engine;
  private final Session session;
  private final PathRepository paths = new PathRepository();
  private final List<Subchannel> live = paths.live();
  private final SendPath sendPath;
  private final ReceivePath receivePath;
  private final ControlQueue control;
  private final RailRecovery recovery;
  private final Streams streams;
  private final Liveness liveness;
  private final Closing closing;
  private final HeldFrames.Budget holdBudget;
  private final ChannelCounters counters;
  private final ChannelReadings readings;
  private final SendLog log;
  private final RendezvousProtocol rendezvous;
  private final AddressBook addresses = new AddressBook(this);
  private ChannelHost.RailKeeper rails;

  private State state = State.ESTABLISHED;
  private boolean working;
  private boolean moreFollows;
  private boolean stepped;
  private StreamFailure deferredEnd;

  public VirtualChannel(ChannelHost engine, Session session, boolean needsLog) {
    this.engine = engine;
    this.session = session;
    this.counters = new ChannelCounters(engine);
    this.readings = new ChannelReadings(this);
    EngineConfig.Limits own = engine.config().limits();
    Hello.Limits theirs = session.hello().limits();
    this.log = needsLog ? new SendLog(own.logBytes()) : null;
    int windowSize = Integer.highestOneBit(Math.min(own.reorderWindow(), theirs.reorderWindow()));
    SendWindow window = new SendWindow(windowSize, session.ownFirstPsn(), log);
    ReceiveWindow received =
        new ReceiveWindow(own.reorderWindow(), session.hello().attempt().firstPsn());
    // The peer keeps to twice the size of this side's ring. Headers and control frames need
    // additional room.
    this.holdBudget = new HeldFrames.Budget(4L * own.ringBytes());
    this.receivePath = new ReceivePath(this, received, holdBudget);
    int maxMessage = Math.min(own.maxMessageBytes(), theirs.maxMessageBytes());
    Striper striper = new Striper(engine.config().striping().get(), live);
    int ring = session.peerRingBytes();
    SendPath.Bounds bounds = SendPath.Bounds.of(engine, ring, maxMessage);
    CreditPatience patience = new CreditPatience(engine);
    this.sendPath = new SendPath(live, striper, window, log, received, patience, bounds);
    this.control = new ControlQueue(sendPath);
    this.recovery = new RailRecovery(this);
    this.rendezvous = new RendezvousProtocol(this, control, sendPath);
    this.streams =
        new Streams(this, control, sendPath, rendezvous, holdBudget, engine, theirs.maxExchanges());
    this.liveness = new Liveness(this, engine.config().timing());
    this.closing = new Closing(this, engine.config().timing().drainNanos());
  }

  /**
   * Runs one duty cycle: reads and handles arrived frames, then advances recovery and replays, then sends control
   * frames, requests and messages, in this order. Returns the amount of work done.
   */
  public int work() {
    working = true;
    // Frames that tasks have sent.
    sendPath.publishGathered();
    int work = 0;
    // Arrived frames may require answers, and posted frames include them: gathering must not delay
    // an answer.
    int answering = 0;
    for (int i = 0; i < live.size() && state != State.CLOSED; i++) {
      Subchannel subchannel = live.get(i);
      // Before the words are read: a sender that awaits an answer waits for this frame.
      answering += read(subchannel, POLL_LIMIT);
      work += takePositions(subchannel);
    }
    if (state != State.CLOSED) {
      int replayed = recovery.work();
      answering += control.flush();
      int steps = rendezvous.work();
      stepped = replayed + steps > 0;
      answering += replayed + steps;
      if (streams.hasTurns()) {
        // Sends outside of a turn use the known room only. A stream's turn uses all available room.
        sendPath.lookForRoom();
      }
      if (!recovery.isReplaying()) {
        answering += streams.exchanges().flush();
        work += streams.drainTurns(engine.rotation());
      }
      FrameOwner bulk = sendPath.takeSoleOwner();
      moreFollows = answering == 0 && bulk != null && goesOn(bulk);
      work += flush();
      if (receivePath.takeHeartbeat()) {
        liveness.answered();
      }
    }
    working = false;
    closing.work();
    if (deferredEnd != null) {
      end(deferredEnd);
    }
    return work + answering;
  }

  /**
   * Returns whether the channel only awaits the peer. No stream waits for a turn, no control frame waits for the next
   * cycle, and all posted frames were announced. The last cycle took no replay or transfer steps.
   */
  public boolean awaitsPeer() {
    return !stepped && !streams.hasTurns() && control.waiting() == 0 && !sendPath.hasPosted();
  }

  /** Returns whether the only sending stream, over the only path, is likely to send again soon. */
  private boolean goesOn(FrameOwner bulk) {
    return live.size() == 1
        && streams.isAlone(bulk)
        && engine.rotation().allHaveTurnsInEachCycle()
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
    long expected = receivePath.window().expected();
    for (int i = 0; i < live.size(); i++) {
      flushed += live.get(i).flush(expected, engine.nowNanos(), moreFollows);
    }
    return flushed;
  }

  /** Reads frames of one ring, live or being fenced. Returns the number of messages and other frames. */
  int read(Subchannel subchannel, int limit) {
    int count = receivePath.poll(subchannel, limit);
    engine.expectMore(false);
    sendPath.publishGathered();
    if (count > 0) {
      subchannel.heard(engine.nowNanos());
      engine.countRead(count);
    }
    if (receivePath.violation() != null) {
      violated(receivePath.violation());
    } else if (subchannel.isForged() && subchannel.isLive()) {
      engine.forged(subchannel);
      failSubchannel(subchannel, "a frame came that the peer did not seal");
    }
    return count;
  }

  private int takePositions(Subchannel subchannel) {
    long before = sendPath.window().acknowledged();
    subchannel.lookAtWords(engine.nowNanos());
    try {
      onPositions(subchannel, subchannel.creditWord(), sendPath.ackOf(subchannel.ackWord()));
    } catch (ProtocolViolation e) {
      violated(e.getMessage());
    }
    return before == sendPath.window().acknowledged() ? 0 : 1;
  }

  /** Applies credit and acknowledgement of the peer, from words or from a frame. */
  public void onPositions(Subchannel subchannel, long credit, long ackPsn)
      throws ProtocolViolation {
    OutgoingRing ring = subchannel.writer() == null ? null : subchannel.writer().ring();
    if (ring != null && !ring.isValidCredit(credit)) {
      if (credit - ring.written() > 0) {
        throw new ProtocolViolation(
            "credit " + credit + " beyond what was written, " + ring.written());
      }
    } else if (ring != null && ring.credit(credit)) {
      subchannel.credited(engine.nowNanos());
    }
    SendWindow window = sendPath.window();
    if (ackPsn - window.next() > 0) {
      throw new ProtocolViolation(
          "acknowledgement of " + ackPsn + " beyond what was sent, " + window.next());
    }
    if (ackPsn - window.acknowledged() > 0) {
      counters.acknowledged(window.acknowledge(ackPsn));
      subchannel.progressed(engine.nowNanos());
      subchannel.heard(engine.nowNanos());
    }
  }

  /** Adds a subchannel that completed its handshake. */
  public void add(Subchannel subchannel) {
    subchannel.goesLive(nowNanos());
    engine.joined(subchannel);
    Path path = paths.joined(subchannel);
    recovery.spares().joined(live);
    sendPath.lookForRoom();
    sendPath.striper().weigh();
    tell(Kind.JOINED, path, subchannel.protection());
    liveness.start();
    if (state == State.PAUSED) {
      become(State.ESTABLISHED);
      LOG.info("{} is back by {}: its streams go on", description(), subchannel);
      tell(Kind.RESUMED, null, "");
    }
  }

  @Override
  public void failSubchannel(Subchannel subchannel, String reason) {
    // Must come first: gathered frames go over the failing rail and take part in its recovery.
    sendPath.lookForRoom();
    Path path = paths.lost(subchannel, reason);
    if (path != null) {
      rendezvous.lost(subchannel);
    }
    recovery.fail(subchannel, reason);
    if (path == null || state == State.CLOSED) {
      return;
    }
    sendPath.striper().weigh();
    tell(subchannel.isGivenUp() ? Kind.REMOVED : Kind.LOST, path, subchannel.failure());
    if (state == State.ESTABLISHED && live.isEmpty()) {
      become(State.PAUSED);
      LOG.info("{} has no rail left: its streams pause", description());
      tell(Kind.PAUSED, null, "");
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
  public void tell(Kind kind, Path path, String text) {
    int number = path == null ? RailEvent.ALL_PATHS : path.number;
    tell(new RailEvent(kind, peerName(), number, path == null ? "" : path.toString(), text));
  }

  public void tell(RailEvent event) {
    engine.railChanged(this, event);
  }

  void settled(Subchannel subchannel) {
    if (subchannel.path() != null) {
      paths.settled(subchannel);
      tell(Kind.SETTLED, subchannel.path(), "");
    }
    retire(subchannel);
  }

  public void drained(Subchannel subchannel) {
    recovery.drained(subchannel);
  }

  void retire(Subchannel subchannel) {
    subchannel.become(Subchannel.State.RETIRED);
    engine.release(subchannel);
  }

  @Override
  public void violated(String what) {
    String text = description() + " broke the protocol: " + what;
    if (!isClosed()) {
      engine.violated(paths.lastHost(), text);
    }
    lose(new StreamFailure(StreamFailure.Kind.VIOLATION, text));
  }

  /** Ends the channel. Inside a duty cycle, the end takes effect after the cycle, when no ring is being read. */
  public void lose(StreamFailure failure) {
    if (state == State.CLOSED) {
      return;
    }
    if (working) {
      if (deferredEnd == null) {
        deferredEnd = failure;
      }
      return;
    }
    end(failure);
  }

  /** Ends the channel after a failed duty cycle. */
  public void fault(Throwable cause) {
    working = false;
    end(new StreamFailure(
        StreamFailure.Kind.LOST, description() + " ended by a fault of this node: " + cause));
  }

  private void end(StreamFailure failure) {
    if (state == State.CLOSED) {
      return;
    }
    deferredEnd = null;
    if (failure.kind() == StreamFailure.Kind.CLOSED) {
      sayAborted(failure.farewell());
    }
    become(State.CLOSED);
    liveness.stop();
    if (rails != null) {
      rails.stop();
    }
    rendezvous.end();
    streams.failAll(failure);
    sendPath.lookForRoom();
    paths.clear().forEach(this::retire);
    recovery.close();
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

  void onGoodbye() {
    closing.onGoodbye();
  }

  /** Handles an abort of the peer, which did not drain: no frames and no acknowledgements arrive any more. */
  void onAborted(String text) {
    lose(new StreamFailure(StreamFailure.Kind.CLOSED, description() + " left: " + text));
  }

  /** Announces the abort, best effort. A peer that misses the announcement detects the loss of every rail. */
  private void sayAborted(String text) {
    if (live.isEmpty() || closing.isClean()) {
      return;
    }
    GoodbyeFrame goodbye = new GoodbyeFrame(text);
    ControlFrame frame = new ControlFrame(FrameType.GOODBYE, FrameFlags.LAST, 0, 0);
    control.send(frame.body(goodbye.encodedBytes(), goodbye::encode));
    moreFollows = false;
    flush();
  }

  void sayGoodbye(String text) {
    GoodbyeFrame goodbye = new GoodbyeFrame(text);
    ControlFrame frame = new ControlFrame(FrameType.GOODBYE, 0, 0, 0);
    control.send(frame.body(goodbye.encodedBytes(), goodbye::encode));
    if (state != State.CLOSED) {
      become(State.CLOSING);
    }
  }

  @Override
  public boolean isClosing() {
    return state == State.CLOSING || closing.hasBegun();
  }

  @Override
  public boolean isClosed() {
    return state == State.CLOSED || deferredEnd != null;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(description() + ": " + state + " to " + next);
    }
    state = next;
  }

  /** Returns the exception for operations on a channel that is ending or has ended. */
  @Override
  public PeerClosedException closedError(String what) {
    return new PeerClosedException(
        what + ": " + description() + (isClosed() ? " is closed" : " is closing"));
  }

  @Override
  public PathRepository paths() {
    return paths;
  }

  /** Describes the paths in use and their targets, for messages. Any thread. */
  public String explainRails() {
    return paths.explain();
  }

  /** Returns the status of every path to the peer, including lost paths. Any thread. */
  public List<RailStatus> rails() {
    return paths.status();
  }

  /** Sets the policy that selects paths for new messages. Messages under way keep their paths. */
  public void striping(StripingPolicy policy) {
    sendPath.striper().use(policy);
    tell(Kind.POLICY_CHANGED, null, policy.toString());
  }

  public State state() {
    return state;
  }

  /** Describes the peer, the name of its node and its current or last location, for messages. Any thread. */
  @Override
  public String description() {
    return "peer '" + session.peerName() + "' (" + paths.lastLocation() + ")";
  }

  @Override
  public String peerName() {
    return session.peerName();
  }

  public Incarnation peer() {
    return session.peer();
  }

  public Session session() {
    return session;
  }

  @Override
  public ChannelCounters counters() {
    return counters;
  }

  @Override
  public PeerReadings readings() {
    return readings;
  }

  public Streams streams() {
    return streams;
  }

  @Override
  public EngineContext engine() {
    return engine;
  }

  public long ringOccupancyBytes() {
    return paths.occupiedBytes();
  }

  public long ringCapacityBytes() {
    return paths.capacityBytes();
  }

  public long unacknowledgedFrames() {
    return sendPath.window().inFlight();
  }

  /** Returns the bytes of frames that wait for earlier frames (MR4). Bounded by four times this side's ring. */
  public long heldBytes() {
    return holdBudget.takenBytes();
  }

  /** Returns the number of large messages under way in both directions. */
  public int largeMessages() {
    return rendezvous.sends().underWay() + rendezvous.receives().underWay();
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

  long nowNanos() {
    return engine.nowNanos();
  }

  EngineConfig.Limits limits() {
    return engine.config().limits();
  }

  public EngineConfig.Large largeConfig() {
    return engine.config().large();
  }

  public RendezvousProtocol rendezvous() {
    return rendezvous;
  }

  public SendPath sendPath() {
    return sendPath;
  }

  public SendLog log() {
    return log;
  }

  ReceiveWindow receiveWindow() {
    return receivePath.window();
  }

  public ControlQueue control() {
    return control;
  }

  @Override
  public boolean isReplaying() {
    return recovery.isReplaying();
  }

  public RailRecovery recovery() {
    return recovery;
  }

  @Override
  public List<Subchannel> live() {
    return live;
  }

  public int epoch() {
    return session.hello().attempt().epoch();
  }
}
