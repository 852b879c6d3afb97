package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.PeerReadings;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import io.railflux.wire.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The association of two peers over any number of subchannels (MR1). {@link #work} is the peer's whole
 * pipeline, one duty cycle of it. Engine thread only.
 */
public final class VirtualChannel implements PeerReadings {

  private static final Logger LOG = LoggerFactory.getLogger(VirtualChannel.class);
  private static final int POLL_LIMIT = 256;

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
  private final List<Subchannel> live = new ArrayList<>();
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
  private final SendLog log;
  private final Rendezvous rendezvous;
  private Reconnect reconnect;

  /** Whether the rails are mapped; null before the first. */
  private Boolean kind;

  private ChannelState state = ChannelState.ESTABLISHED;
  private boolean working;
  private StreamFailure deferredEnd;
  private volatile String lastLocation = "";
  private String lastHost = "";
  private String fabricName = "none";

  /** Copy of {@link #live} for readers on other threads. */
  private volatile Subchannel[] liveView = {};

  VirtualChannel(Engine engine, Session session, boolean needsLog) {
    this.engine = engine;
    this.session = session;
    this.counters = new ChannelCounters(engine);
    EngineConfig.Limits own = engine.config().limits();
    Hello.Limits theirs = session.hello().limits();
    this.log = needsLog ? new SendLog(own.logBytes()) : null;
    int windowSize = Integer.highestOneBit(Math.min(own.reorderWindow(), theirs.reorderWindow()));
    SendWindow window = new SendWindow(windowSize, session.ownFirstPsn(), log);
    ReceiveWindow received =
        new ReceiveWindow(own.reorderWindow(), session.hello().attempt().firstPsn());
    this.receivePath = new ReceivePath(this, received);
    long unacknowledged = 2L * session.peerRingBytes();
    int maxMessage = Math.min(own.maxMessageBytes(), theirs.maxMessageBytes());
    Striper striper = new Striper(engine.config().striping().get(), live);
    int ring = session.peerRingBytes();
    int eager = Math.min(maxMessage, engine.eagerLimitBytes(ring));
    SendPath.Bounds bounds = new SendPath.Bounds(eager, maxMessage, unacknowledged);
    this.sendPath = new SendPath(live, striper, window, log, received, bounds);
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
    for (int i = 0; i < live.size() && state != ChannelState.CLOSED; i++) {
      Subchannel subchannel = live.get(i);
      // Before the words: who awaits an answer waits for this one.
      work += read(subchannel, POLL_LIMIT);
      work += takePositions(subchannel);
    }
    if (state != ChannelState.CLOSED) {
      work += recovery.work();
      work += control.flush();
      work += rendezvous.work();
      sendPath.lookForRoom();
      if (!recovery.isReplaying()) {
        work += streams.exchanges().flush();
        work += merge.drain();
      }
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
    return work;
  }

  private int flush() {
    int flushed = 0;
    long expected = receivePath.window().expected();
    for (int i = 0; i < live.size(); i++) {
      flushed += live.get(i).flush(expected, engine.nowNanos());
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
      subchannel.progressed(engine.nowNanos());
      subchannel.heard(engine.nowNanos());
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
    subchannel.become(SubchannelState.LIVE);
    // Its life begins now: a handshake may take longer than silence may last.
    subchannel.heard(nowNanos());
    subchannel.progressed(nowNanos());
    live.add(subchannel);
    live.sort((a, b) -> Integer.compare(a.id, b.id));
    liveView = live.toArray(new Subchannel[0]);
    fabricName = live.get(0).rail.fabric().name();
    lastLocation = live.get(0).endpoint.remoteDescription();
    lastHost = live.get(0).endpoint.remoteHost();
    liveness.start();
    if (state == ChannelState.PAUSED) {
      become(ChannelState.ESTABLISHED);
      LOG.info("{} is back by {}: its streams go on", description(), subchannel);
    }
  }

  void failSubchannel(Subchannel subchannel, String reason) {
    // First: what was gathered goes over the rail that fails, and so takes part in its recovery.
    sendPath.lookForRoom();
    boolean wasLive = live.remove(subchannel);
    liveView = live.toArray(new Subchannel[0]);
    if (!live.isEmpty()) {
      lastLocation = live.get(0).endpoint.remoteDescription();
    }
    if (wasLive) {
      rendezvous.lost(subchannel);
    }
    recovery.fail(subchannel, reason);
    if (wasLive && state == ChannelState.ESTABLISHED && live.isEmpty()) {
      become(ChannelState.PAUSED);
      LOG.info("{} has no rail left: its streams pause", description());
    }
    if (wasLive && state != ChannelState.CLOSED) {
      liveness.lost(subchannel);
      if (reconnect != null) {
        reconnect.lost(subchannel);
      }
    }
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
      engine.refusals().violated(lastHost, text);
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
    new ArrayList<>(live).forEach(this::retire);
    live.clear();
    liveView = new Subchannel[0];
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

  /** Runs when the channel ended, with its cause; at once if it has. */
  public void onEnd(Consumer<StreamFailure> listener) {
    closing.onEnd(listener);
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
    if (!hasLive() || closing.isClean()) {
      return;
    }
    GoodbyeFrame goodbye = new GoodbyeFrame(text);
    ControlFrame frame = new ControlFrame(FrameType.GOODBYE, FrameFlags.LAST, 0, 0);
    control.send(frame.body(goodbye.encodedBytes(), goodbye::encode));
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

  /** Rails in use and where they lead, for messages to people. Any thread. */
  public String explainRails() {
    StringBuilder text = new StringBuilder();
    for (Subchannel subchannel : liveView) {
      text.append(text.isEmpty() ? "" : ", ").append("over ").append(subchannel.explain());
    }
    return text.isEmpty() ? "over no rail now, last " + lastLocation : text.toString();
  }

  public ChannelState state() {
    return state;
  }

  /** The peer, its node's name and where it is or was last, for messages to people. Any thread. */
  public String description() {
    return "peer '" + session.peerName() + "' (" + lastLocation + ")";
  }

  @Override
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

  public Streams streams() {
    return streams;
  }

  public Engine engine() {
    return engine;
  }

  /** Name of the fabric of the first rail there was. */
  @Override
  public String fabricName() {
    return fabricName;
  }

  /** Bytes the peer has not consumed, summed over the live rings. */
  @Override
  public long ringOccupancyBytes() {
    long sum = 0;
    for (Subchannel subchannel : liveView) {
      sum += subchannel.writer().occupiedBytes();
    }
    return sum;
  }

  /** Bytes of the live rings the peer granted. */
  @Override
  public long ringCapacityBytes() {
    long sum = 0;
    for (Subchannel subchannel : liveView) {
      sum += subchannel.writer().capacityBytes();
    }
    return sum;
  }

  /** Rings and words granted to the peer, the log and what requests are sent from. */
  @Override
  public long registeredBytes() {
    long sum = log == null ? 0 : log.allocatedBytes();
    for (Subchannel subchannel : liveView) {
      sum += subchannel.memory.bytes();
    }
    return sum;
  }

  @Override
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

  @Override
  public long creditStalls() {
    return sendPath.stalls;
  }

  @Override
  public long messagesSent() {
    return counters.messagesSent();
  }

  @Override
  public long messagesReceived() {
    return counters.messagesReceived();
  }

  @Override
  public long bytesSent() {
    return counters.bytesSent();
  }

  @Override
  public long bytesReceived() {
    return counters.bytesReceived();
  }

  @Override
  public long messagesExpired() {
    return counters.messagesExpired();
  }

  @Override
  public long framesAcknowledged() {
    return counters.framesAcknowledged();
  }

  @Override
  public long framesReplayed() {
    return counters.framesReplayed();
  }

  @Override
  public long duplicatesDropped() {
    return counters.duplicatesDropped();
  }

  @Override
  public long endpointsLost() {
    return counters.endpointsLost();
  }

  public int maxMessageBytes() {
    return sendPath.maxMessageBytes();
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

  /**
   * Whether rails of that kind may carry this session: what lies in a mapped ring cannot be posted again
   * over another kind of rail. The first one decides.
   */
  boolean takesRails(boolean mapped) {
    if (kind == null) {
      kind = mapped;
    }
    return kind == mapped;
  }

  /** Whether the peer's memory is written directly. */
  boolean isMapped() {
    return Boolean.TRUE.equals(kind);
  }

  boolean hasLive() {
    return !live.isEmpty();
  }

  Subchannel liveSubchannel(int id) {
    for (Subchannel subchannel : live) {
      if (subchannel.id == id) {
        return subchannel;
      }
    }
    return null;
  }

  int epoch() {
    return session.hello().attempt().epoch();
  }
}
