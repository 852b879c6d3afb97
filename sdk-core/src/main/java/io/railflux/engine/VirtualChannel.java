package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.metrics.RailStatus;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import io.railflux.wire.Hello;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The association of two peers over any number of subchannels (MR1). {@link #work} is the peer's whole
 * pipeline, one duty cycle of it. Engine thread only.
 */
public final class VirtualChannel {

  private static final Logger LOG = LoggerFactory.getLogger(VirtualChannel.class);
  private static final int POLL_LIMIT = 256;

  /** Where cycles take longer, codecs are slow or peers are many: what waited for several would be late. */
  private static final long SHORT_CYCLE_NANOS = 200_000;

  /**
   * What both sides agreed on, and who the other is.
   *
   * @param key what rails that join later must know of; null without a secret
   * @param role of this side
   */
  @SuppressWarnings("ArrayRecordComponent") // A key: never compared, never changed.
  record Session(
      Incarnation peer,
      String peerName,
      long ownFirstPsn,
      Hello hello,
      int peerRingBytes,
      byte[] key,
      Role role) {}

  private final Engine engine;
  private final Session session;
  private final PathRepository paths = new PathRepository();
  private final List<Subchannel> live = paths.live();
  private final SendPath sendPath;
  private final ReceivePath receivePath;
  private final ControlQueue control;
  private final ByteFairMerge merge = new ByteFairMerge();
  private final Recovery recovery;
  private final Streams streams;
  private final Liveness liveness;
  private final Closing closing;
  private final HeldFrames.Budget holdBudget;
  private final ChannelCounters counters;
  private final ChannelReadings readings;
  private final SendLog log;
  private final Rendezvous rendezvous;
  private final AddressBook addresses = new AddressBook(this);
  private Reconnect reconnect;

  private ChannelState state = ChannelState.ESTABLISHED;
  private boolean working;
  private boolean moreFollows;
  private boolean stepped;
  private StreamFailure deferredEnd;

  VirtualChannel(Engine engine, Session session, boolean needsLog) {
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
    this.receivePath = new ReceivePath(this, received);
    int maxMessage = Math.min(own.maxMessageBytes(), theirs.maxMessageBytes());
    Striper striper = new Striper(engine.config().striping().get(), live);
    int ring = session.peerRingBytes();
    SendPath.Bounds bounds = SendPath.Bounds.of(engine, ring, maxMessage);
    CreditPatience patience = new CreditPatience(engine);
    this.sendPath = new SendPath(live, striper, window, log, received, patience, bounds);
    this.control = new ControlQueue(sendPath);
    this.recovery = new Recovery(this);
    this.rendezvous = new Rendezvous(this);
    this.streams = new Streams(this, theirs.maxExchanges());
    this.liveness = new Liveness(this, engine.config().timing());
    this.closing = new Closing(this, engine.config().timing().drainNanos());
    // The peer keeps to twice this side's ring; headers and control frames need some more.
    this.holdBudget = new HeldFrames.Budget(4L * own.ringBytes());
  }

  /**
   * One duty cycle: read what came and act on it, then recovery with its replays, control, requests
   * and messages go out in this order. Returns how much was done.
   */
  int work() {
    working = true;
    // What tasks sent.
    sendPath.publishGathered();
    int work = 0;
    // What came may be answered, and what is posted here is: nobody should wait for that.
    int answering = 0;
    for (int i = 0; i < live.size() && state != ChannelState.CLOSED; i++) {
      Subchannel subchannel = live.get(i);
      // Before the words: who awaits an answer waits for this one.
      answering += read(subchannel, POLL_LIMIT);
      work += takePositions(subchannel);
    }
    if (state != ChannelState.CLOSED) {
      int replayed = recovery.work();
      answering += control.flush();
      int steps = rendezvous.work();
      stepped = replayed + steps > 0;
      answering += replayed + steps;
      if (!merge.isEmpty()) {
        // Who sends outside of a turn needs no more than was known; who has one wants all there is.
        sendPath.lookForRoom();
      }
      if (!recovery.isReplaying()) {
        answering += streams.exchanges().flush();
        work += merge.drain(engine.rotation());
      }
      OutboundStream bulk = sendPath.takeSoleOwner();
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
   * Whether no stream waits for a turn and no control frame for the next cycle, the peer was told of all that was
   * posted, and nothing went step by step in the last cycle.
   */
  boolean awaitsPeer() {
    return !stepped && merge.isEmpty() && control.waiting() == 0 && !sendPath.hasPosted();
  }

  /** Whether the one stream that sends, over one path, presumably does so again soon. */
  private boolean goesOn(OutboundStream bulk) {
    return live.size() == 1
        && merge.isAlone(bulk)
        && engine.rotation().allHaveTurnsInEachCycle()
        && engine.unseenNanos() <= SHORT_CYCLE_NANOS;
  }

  /**
   * Whether all that was posted since the cycle before is of a single stream, which goes on, and nothing came that
   * somebody may wait for an answer to: it may leave with what follows.
   */
  boolean moreFollows() {
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

  /** Reads frames of one ring, live or being fenced; returns how many messages and other frames. */
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
      engine.refusals().forged(subchannel);
      failSubchannel(subchannel, "a frame came that the peer did not seal");
    }
    return count;
  }

  private int takePositions(Subchannel subchannel) {
    long before = sendPath.window().acknowledged();
    subchannel.lookAtWords(engine.nowNanos());
    String wrong =
        onPositions(subchannel, subchannel.creditWord(), sendPath.ackOf(subchannel.ackWord()));
    if (wrong != null) {
      violated(wrong);
    }
    return before == sendPath.window().acknowledged() ? 0 : 1;
  }

  /** Credit and acknowledgement the peer told in whatever way. Returns what is wrong, or null. */
  String onPositions(Subchannel subchannel, long credit, long ackPsn) {
    OutgoingRing ring = subchannel.writer() == null ? null : subchannel.writer().ring();
    if (ring != null && !ring.isValidCredit(credit)) {
      if (credit - ring.written() > 0) {
        return "credit " + credit + " beyond what was written, " + ring.written();
      }
    } else if (ring != null && ring.credit(credit)) {
      subchannel.credited(engine.nowNanos());
    }
    SendWindow window = sendPath.window();
    if (ackPsn - window.next() > 0) {
      return "acknowledgement of " + ackPsn + " beyond what was sent, " + window.next();
    }
    if (ackPsn - window.acknowledged() > 0) {
      counters.acknowledged(window.acknowledge(ackPsn));
      subchannel.progressed(engine.nowNanos());
      subchannel.heard(engine.nowNanos());
    }
    return null;
  }

  /** A subchannel finished its handshake. */
  void add(Subchannel subchannel) {
    subchannel.goesLive(nowNanos());
    engine.joined(subchannel);
    Path path = paths.joined(subchannel);
    sendPath.lookForRoom();
    sendPath.striper().weigh();
    tell(Kind.JOINED, path, subchannel.protection());
    liveness.start();
    if (state == ChannelState.PAUSED) {
      become(ChannelState.ESTABLISHED);
      LOG.info("{} is back by {}: its streams go on", description(), subchannel);
      tell(Kind.RESUMED, null, "");
    }
  }

  void failSubchannel(Subchannel subchannel, String reason) {
    // First: what was gathered goes over the rail that fails, and so takes part in its recovery.
    sendPath.lookForRoom();
    Path path = paths.lost(subchannel, reason);
    if (path != null) {
      rendezvous.lost(subchannel);
    }
    recovery.fail(subchannel, reason);
    if (path == null || state == ChannelState.CLOSED) {
      return;
    }
    sendPath.striper().weigh();
    tell(subchannel.givenUp == null ? Kind.LOST : Kind.REMOVED, path, subchannel.failure);
    if (state == ChannelState.ESTABLISHED && live.isEmpty()) {
      become(ChannelState.PAUSED);
      LOG.info("{} has no rail left: its streams pause", description());
      tell(Kind.PAUSED, null, "");
    }
    liveness.lost(subchannel);
    if (reconnect != null) {
      reconnect.lost(subchannel);
    } else {
      addresses.redials().lost(subchannel);
    }
  }

  /** @param path null where it concerns them all */
  void tell(Kind kind, Path path, String text) {
    int number = path == null ? RailEvent.ALL_PATHS : path.number;
    tell(new RailEvent(kind, peerName(), number, path == null ? "" : path.toString(), text));
  }

  void tell(RailEvent event) {
    engine.railListener().accept(this, event);
  }

  void settled(Subchannel subchannel) {
    if (subchannel.path != null) {
      paths.settled(subchannel);
      tell(Kind.SETTLED, subchannel.path, "");
    }
    retire(subchannel);
  }

  void drained(Subchannel subchannel) {
    recovery.drained(subchannel);
  }

  void retire(Subchannel subchannel) {
    subchannel.become(SubchannelState.RETIRED);
    engine.release(subchannel);
  }

  void violated(String what) {
    String text = description() + " broke the protocol: " + what;
    if (!isClosed()) {
      engine.refusals().violated(paths.lastHost(), text);
    }
    lose(new StreamFailure(StreamFailure.Kind.VIOLATION, text));
  }

  /** Ends the channel; inside a duty cycle only at its end, when no ring is being read. */
  void lose(StreamFailure failure) {
    if (state == ChannelState.CLOSED) {
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

  /** A duty cycle threw: whatever it was at, it is over. */
  void fault(Throwable cause) {
    working = false;
    end(new StreamFailure(
        StreamFailure.Kind.LOST, description() + " ended by a fault of this node: " + cause));
  }

  private void end(StreamFailure failure) {
    if (state == ChannelState.CLOSED) {
      return;
    }
    deferredEnd = null;
    if (failure.kind() == StreamFailure.Kind.CLOSED) {
      sayAborted(failure.text());
    }
    become(ChannelState.CLOSED);
    liveness.stop();
    if (reconnect != null) {
      reconnect.stop();
    }
    rendezvous.end();
    streams.failAll(failure);
    sendPath.lookForRoom();
    paths.clear().forEach(this::retire);
    recovery.close();
    engine.forget(this);
    closing.ended(failure);
  }

  /** Drains and closes; {@code done} hears the outcome, null when nothing was left behind. */
  public void close(Consumer<StreamFailure> done) {
    closing.begin(done);
  }

  /** Ends at once; what is not acknowledged is unknown to its senders. */
  public void abort(String reason) {
    lose(new StreamFailure(StreamFailure.Kind.CLOSED, reason));
  }

  /** Runs when the channel ended, with its cause; at once if it has. Returns what forgets it, for the engine thread. */
  public Runnable onEnd(Consumer<StreamFailure> listener) {
    return closing.onEnd(listener);
  }

  void onGoodbye() {
    closing.onGoodbye();
  }

  /** The peer left without draining: nothing comes and nothing is acknowledged any more. */
  void onAborted(String text) {
    lose(new StreamFailure(StreamFailure.Kind.CLOSED, description() + " left: " + text));
  }

  /** Best effort: a peer that does not hear it finds out by the loss of every rail. */
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
    if (state != ChannelState.CLOSED) {
      become(ChannelState.CLOSING);
    }
  }

  public boolean isClosing() {
    return state == ChannelState.CLOSING || closing.hasBegun();
  }

  public boolean isClosed() {
    return state == ChannelState.CLOSED || deferredEnd != null;
  }

  private void become(ChannelState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(description() + ": " + state + " to " + next);
    }
    state = next;
  }

  /** What somebody gets who wants something of a channel that ends or has ended. */
  public PeerClosedException closedError(String what) {
    return new PeerClosedException(
        what + ": " + description() + (isClosed() ? " is closed" : " is closing"));
  }

  PathRepository paths() {
    return paths;
  }

  /** Paths in use and where they lead, for messages to people. Any thread. */
  public String explainRails() {
    return paths.explain();
  }

  /** Of every path to the peer, those included that were lost. Any thread. */
  public List<RailStatus> rails() {
    return paths.status();
  }

  /** From now on another policy decides over which paths messages go; those under way stay where they are. */
  public void striping(StripingPolicy policy) {
    sendPath.striper().use(policy);
    tell(Kind.POLICY_CHANGED, null, policy.toString());
  }

  public ChannelState state() {
    return state;
  }

  /** The peer, its node's name and where it is or was last, for messages to people. Any thread. */
  public String description() {
    return "peer '" + session.peerName() + "' (" + paths.lastLocation() + ")";
  }

  public String peerName() {
    return session.peerName();
  }

  public Incarnation peer() {
    return session.peer();
  }

  Session session() {
    return session;
  }

  public ChannelCounters counters() {
    return counters;
  }

  PeerReadings readings() {
    return readings;
  }

  public Streams streams() {
    return streams;
  }

  public Engine engine() {
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

  /** Bytes of frames that wait for earlier ones (MR4); bounded by four times this side's ring. */
  public long heldBytes() {
    return holdBudget.takenBytes();
  }

  /** Large messages under way from here and to here. */
  public int largeMessages() {
    return rendezvous.sends().underWay() + rendezvous.receives().underWay();
  }

  public int maxMessageBytes() {
    return sendPath.maxMessageBytes();
  }

  /**
   * The connections this side is to have to the peer.
   *
   * @throws IllegalStateException where the peer connected to this node
   */
  public Reconnect connecting() {
    if (isClosed()) {
      throw closedError("rails");
    }
    if (reconnect == null) {
      throw new IllegalStateException(description()
          + " connected to this node, which knows no address of it: change its rails over there");
    }
    return reconnect;
  }

  public AddressBook addresses() {
    return addresses;
  }

  /** Whether this side makes the connections. */
  boolean isConnector() {
    return reconnect != null;
  }

  void reconnectBy(Reconnect newReconnect) {
    reconnect = newReconnect;
  }

  long nowNanos() {
    return engine.nowNanos();
  }

  EngineConfig.Limits limits() {
    return engine.config().limits();
  }

  EngineConfig.Large largeConfig() {
    return engine.config().large();
  }

  Rendezvous rendezvous() {
    return rendezvous;
  }

  SendPath sendPath() {
    return sendPath;
  }

  SendLog log() {
    return log;
  }

  ReceiveWindow receiveWindow() {
    return receivePath.window();
  }

  ControlQueue control() {
    return control;
  }

  /** Whether a reply need not wait for the end of the reading: no stream waits for its turn before it. */
  boolean givesTurnsAtOnce() {
    return merge.isEmpty() && !recovery.isReplaying();
  }

  ByteFairMerge merge() {
    return merge;
  }

  Recovery recovery() {
    return recovery;
  }

  HeldFrames.Budget holdBudget() {
    return holdBudget;
  }

  List<Subchannel> live() {
    return live;
  }

  int epoch() {
    return session.hello().attempt().epoch();
  }
}
