package io.railflux.engine.path;

import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.ring.AckPolicy;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.ring.RingWriter;
import io.railflux.engine.seal.SealedFrames;
import io.railflux.engine.seal.SealedWords;
import io.railflux.engine.seal.Sealing;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;

// More than 400 lines: one state machine, with the accessors that the send and receive paths need.
/**
 * The endpoint of one rail within a virtual channel: the ring granted by each side, and the words that return
 * credit and acknowledgement.
 */
public final class Subchannel {

  /** The number of no subchannel. */
  public static final int NO_ID = -1;

  /**
   * Life cycle of a subchannel. Allowed transitions:
   *
   * <pre>
   *   HANDSHAKING --HELLO answered--> LIVE
   *   HANDSHAKING --error-----------> FENCING
   *   LIVE        --error, fence----> FENCING
   *   FENCING     --drained, swept--> FENCED
   *   FENCED      --both RESUMEs, replay acknowledged--> RETIRED
   *   LIVE, FENCING, FENCED --channel closed--> RETIRED
   * </pre>
   */
  public enum State {
    /** The endpoint is connected; HELLO is in flight. */
    HANDSHAKING,
    /** Carries traffic. */
    LIVE,
    /** Failed; earlier writes of the peer may still land (D1). */
    FENCING,
    /** All writes have landed and were read, so RESUME may be sent. */
    FENCED,
    /** Resources are released. */
    RETIRED;

    public boolean canBecome(State next) {
      return switch (this) {
        case HANDSHAKING -> next == LIVE || next == FENCING;
        case LIVE -> next == FENCING || next == RETIRED;
        case FENCING -> next == FENCED || next == RETIRED;
        case FENCED -> next == RETIRED;
        case RETIRED -> false;
      };
    }
  }

  /**
   * Memory of one subchannel on this side.
   *
   * @param ring the first ring, which {@link GrantedRing} closes
   * @param scratch null if the peer's ring is mapped
   * @param own null if the fabric allocated all memory
   */
  public record Memory(
      ExposedRegion ring,
      ExposedRegion words,
      LocalMemory scratch,
      SessionMemory.HandshakeMemory messages,
      SubchannelMemory own) {

    private long bytesBesideRing() {
      long sum = (long) words.lengthBytes() + messages.registered().lengthBytes();
      return scratch == null ? sum : sum + scratch.lengthBytes();
    }

    /** Closes the memory after the last write of the peer and the last post. */
    private void close() {
      words.close();
      if (scratch != null) {
        scratch.close();
      }
    }
  }

  public final int id;
  public final Rail rail;
  public final Endpoint endpoint;
  public final Memory memory;
  public final IncomingRing incoming;
  public final GrantedRing granted;
  public final Sealing sealing;

  /**
   * Whether another connection to the same destination carries the messages of the ring. This connection carries
   * pieces of large messages, and control frames (MR8).
   */
  public final boolean further;

  private final ChannelKind firstKind;

  // Null unless frames are sealed.
  private final SealedWords sealedWords;

  private State state = State.HANDSHAKING;
  // Null before the subchannel is attached to the peer's memory.
  private PeerRing peerRing;
  private RingWriter writer;
  private BulkLane lane;

  // Last progress reported to the peer.
  private long reportedCredit;
  private long reportedAck;
  private AckPolicy ackPolicy;
  private long firstPsn;

  // Number of posted receives; number of the receive that completes next.
  private int receives;
  private long nextReceive;

  // Last values reported by the peer.
  private long seenCredit;
  private long seenAck;

  // Reference times of time-outs, in engine time.
  private long lastReceivedNanos;
  private long lastProgressNanos;
  private long lastSentNanos;
  private long flushedPosition;

  // Answer time of the peer, measured with one frame at a time.
  private boolean timing;
  private long timedNanos;
  private long timedPosition;
  private long answerNanos;

  private boolean everLive;
  private long liveSinceNanos;
  private boolean memoryGiven;

  private Path path;
  private double weight = 1;
  private int replaces = NO_ID;
  private String failure;
  private String givenUp;

  /**
   * @param further see {@link #further}
   * @param kind kind of the first ring that this side grants
   * @param sealing keys of sealed frames; null for plain frames
   */
  public Subchannel(
      int id,
      boolean further,
      ChannelKind kind,
      Rail rail,
      Endpoint endpoint,
      Memory memory,
      Sealing sealing,
      long nowNanos) {
    this.id = id;
    this.further = further;
    this.rail = rail;
    this.endpoint = endpoint;
    this.memory = memory;
    boolean announced = !capabilities().orderedPlacement();
    this.sealing = sealing;
    this.sealedWords = sealing == null ? null : sealing.words();
    SealedFrames.Opener opener = sealing == null ? null : sealing.frameOpener();
    this.incoming =
        new IncomingRing(memory.ring().memory(), memory.ring().lengthBytes(), announced, opener);
    this.firstKind = kind;
    this.granted = new GrantedRing(id, incoming, memory.ring(), kind);
    if (capabilities().mapped()) {
      incoming.share();
    }
    this.lastReceivedNanos = nowNanos;
    this.lastProgressNanos = nowNanos;
    this.lastSentNanos = nowNanos;
  }

  public Capabilities capabilities() {
    return rail.capabilities();
  }

  public State state() {
    return state;
  }

  public void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("subchannel " + id + ": " + state + " cannot become " + next);
    }
    state = next;
    everLive |= next == State.LIVE;
  }

  /** Makes the subchannel live after its handshake. */
  public void goesLive(long nowNanos) {
    become(State.LIVE);
    liveSinceNanos = nowNanos;
    // Time-outs start now, because a handshake may take longer than the permitted silence.
    onReceived(nowNanos);
    progressed(nowNanos);
  }

  /** Sets the number of the lost subchannel whose path this subchannel restores. Called before it is live. */
  public void replace(int lostId) {
    replaces = lostId;
  }

  /** Number of the lost subchannel; {@link #NO_ID} if only the peer's host identifies the path. */
  int replaces() {
    return replaces;
  }

  /** The path of the subchannel; null before it is live. */
  public Path path() {
    return path;
  }

  void carry(Path newPath) {
    path = newPath;
  }

  /** Share of the sent traffic, from the striping policy. */
  double weight() {
    return weight;
  }

  void weigh(double newWeight) {
    weight = newWeight;
  }

  /** Gives the subchannel up on both sides, so that its end is no loss. */
  public void giveUp(String reason) {
    givenUp = reason;
  }

  public boolean isGivenUp() {
    return givenUp != null;
  }

  /**
   * Takes the subchannel out of service. The caller fences its endpoint.
   *
   * @param reason names the cause, unless the subchannel was given up
   * @return false if it was already out of service
   */
  public boolean fail(String reason) {
    if (state != State.LIVE && state != State.HANDSHAKING) {
      return false;
    }
    become(State.FENCING);
    failure = isGivenUp() ? givenUp : reason;
    return true;
  }

  /** Reason for the end of service; null while in service. */
  public String failure() {
    return failure;
  }

  /** Time since the subchannel went live; 0 if it never did. */
  public long lastedNanos(long nowNanos) {
    return everLive ? nowNanos - liveSinceNanos : 0;
  }

  /** Whether this side ever sent more than its HELLO over the subchannel. */
  public boolean wasLive() {
    return everLive;
  }

  /** Whether both live subchannels use the same rail to the same host. */
  boolean leadsWhere(Subchannel other) {
    return path.sharesRail(other.path);
  }

  public boolean isLive() {
    return state == State.LIVE;
  }

  /**
   * Enables writes into the peer's ring.
   *
   * @param newAckPolicy decides when to report progress; null for every cycle
   * @param firstPeerPsn first sequence number of the peer, from which the words count
   */
  public void attach(
      PeerRing newPeerRing, BulkLane newLane, AckPolicy newAckPolicy, long firstPeerPsn) {
    peerRing = newPeerRing;
    writer = newPeerRing.writer();
    lane = newLane;
    ackPolicy = newAckPolicy;
    firstPsn = firstPeerPsn;
    reportedAck = firstPeerPsn;
  }

  /** Whether the rings that this side grants lie in memory of the engine. */
  public boolean exposesOwn() {
    return memory.own != null && memory.own.layout().ring() > 0;
  }

  /** Returns the memory of the first ring if a ring of this kind replaces another; null if the kind differs. */
  public ByteBuffer firstRing(ChannelKind kind) {
    return kind == firstKind ? memory.own.ring() : null;
  }

  /** Posts plain frames from another log, which contains all frames in flight. */
  public void postFrom(ByteBuffer log) {
    if (sealing == null && !capabilities().mapped()) {
      peerRing.postFrom(rail.fabric().register(log));
    }
  }

  /** The peer left the present ring. Returns false if no other ring was offered. */
  public boolean ringEnded() {
    boolean followed = granted.follow();
    if (followed && ackPolicy != null) {
      ackPolicy.ringBytes(incoming.size());
    }
    return followed;
  }

  /** Posts receives for immediate data if it announces arrival; they carry no bytes. */
  public void postAnnouncementReceives() {
    if (!capabilities().orderedPlacement()) {
      receives = Math.min(256, capabilities().receiveQueueDepth());
      for (int i = 0; i < receives; i++) {
        endpoint.postReceive(i, memory.messages.registered(), 0, 0);
      }
    }
  }

  /** The peer announced slots of the ring; repeated completions of a receive are ignored. */
  public void received(long receiveId, int slots) {
    if (receiveId == nextReceive) {
      nextReceive++;
      incoming.announce(slots);
      endpoint.postReceive(receiveId + receives, memory.messages.registered(), 0, 0);
    }
  }

  /** Closes the endpoint and its registrations. */
  public void release() {
    endpoint.close();
    giveMemoryBack();
    if (lane != null) {
      lane.close();
    }
  }

  /** Returns the memory for another subchannel. The endpoint is drained or closed, and landed frames were read. */
  public void giveMemoryBack() {
    if (memoryGiven) {
      return;
    }
    memoryGiven = true;
    memory.close();
    memory.messages.close();
    granted.close();
    if (peerRing != null) {
      peerRing.close();
    }
    if (memory.own != null) {
      memory.own.release();
    }
  }

  public RingWriter writer() {
    return writer;
  }

  /** The ring that the peer grants; null before the subchannel is attached. */
  public PeerRing peerRing() {
    return peerRing;
  }

  /** Size of the rings that this side grants, the words and the memory of requests. Any thread. */
  public long registeredBytes() {
    return granted.bytes() + memory.bytesBesideRing();
  }

  /**
   * Reads the words for {@link #creditWord} and {@link #ackWord}. Any change is a sign of life of this rail, even
   * if another rail reported the same positions earlier.
   */
  public void readWords(long nowNanos) {
    if (sealedWords != null) {
      sealedWords.look(memory.words().memory());
    }
    long credit = creditWord();
    long ack = ackWord();
    if (credit != seenCredit || ack != seenAck) {
      seenCredit = credit;
      seenAck = ack;
      lastReceivedNanos = nowNanos;
    }
  }

  /** Checks for signs of life before frames are read: words and frames. */
  public void checkArrivals(long nowNanos) {
    readWords(nowNanos);
    if (incoming.hasFrame()) {
      lastReceivedNanos = nowNanos;
    }
  }

  /** Whether a cycle may find news here; always true if no word in memory shows arrival. */
  public boolean mayHaveArrivals() {
    return !capabilities().mapped()
        || sealedWords != null
        || incoming.hasNext()
        || creditWord() != seenCredit
        || ackWord() != seenAck;
  }

  /** Whether anything arrived that the peer did not seal. */
  public boolean isForged() {
    boolean chunk = lane != null && lane.sealed() != null && lane.sealed().isForged();
    return chunk || incoming.isForged();
  }

  /** Lane for large messages; null before the subchannel is live. */
  public BulkLane lane() {
    return lane;
  }

  /** Position up to which the peer reports to have consumed this side's frames. */
  public long creditWord() {
    if (sealedWords != null) {
      return sealedWords.credit();
    }
    return ControlWords.load(memory.words().memory(), ControlWords.CREDIT_OFFSET);
  }

  /** Number of frames of this session that the peer reports to have received without a gap. */
  public long ackWord() {
    if (sealedWords != null) {
      return sealedWords.ack();
    }
    return ControlWords.load(memory.words().memory(), ControlWords.ACK_OFFSET);
  }

  /** Whether the subchannel leads, or may lead, to another host. */
  public boolean leadsOut() {
    return !capabilities().mapped() && !endpoint.protection().isLocal();
  }

  /** Whether the peer does not know this side's current progress. */
  public boolean owes(long ackPsn) {
    return incoming.consumed() != reportedCredit || ackPsn != reportedAck;
  }

  /** Records positions that a frame carries to the peer. */
  public void reported(long ackPsn) {
    reportedCredit = incoming.consumed();
    reportedAck = ackPsn;
  }

  /**
   * Reports progress in a frame that leaves now, at no cost, or in a separate request if due. Returns whether due
   * progress was reported, which must not wait for later frames.
   */
  private boolean report(long ackPsn, boolean due) {
    long credit = incoming.consumed();
    boolean renewed = writer.renewPositions(credit, ackPsn);
    if (renewed || (due && writer.report(credit, ackPsn - firstPsn))) {
      reported(ackPsn);
      return due;
    }
    return false;
  }

  private boolean isDue(long ackPsn, long nowNanos) {
    return ackPolicy == null
        || ackPolicy.isDue(nowNanos, incoming.consumed(), reportedCredit, ackPsn - reportedAck);
  }

  /** Reports progress, posts gathered frames and wakes a sleeping peer. Returns 1 if any of these was necessary. */
  public int flush(long ackPsn, long nowNanos, boolean moreFollows) {
    boolean reported = owes(ackPsn) && report(ackPsn, isDue(ackPsn, nowNanos));
    boolean flushed = writer.flush();
    if (flushed) {
      OutgoingRing ring = writer.ring();
      if (ring.isConsumed(flushedPosition)) {
        // The peer owed no credit until now: its time begins.
        lastProgressNanos = nowNanos;
        timing = true;
        timedNanos = nowNanos;
        timedPosition = ring.written();
      }
      flushedPosition = ring.written();
    } else if (!reported) {
      return 0;
    }
    lastSentNanos = nowNanos;
    if (moreFollows && !reported) {
      endpoint.moreFollows();
    } else {
      endpoint.notifyPeer();
    }
    return 1;
  }

  /** Sends a sign of life after a long time without frames, if the ring has room. */
  public void heartbeat(long nowNanos, long intervalNanos) {
    if (nowNanos - lastSentNanos >= intervalNanos && writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      writer.publishLinkFrame(FrameType.HEARTBEAT);
      lastSentNanos = nowNanos;
    }
  }

  /** Whether the peer has flushed frames to consume. */
  public boolean isOwedCredit() {
    return !writer.ring().isConsumed(flushedPosition);
  }

  /** The peer reported new credit. */
  public void credited(long nowNanos) {
    progressed(nowNanos);
    onReceived(nowNanos);
    if (timing && writer.ring().isConsumed(timedPosition)) {
      timing = false;
      long took = nowNanos - timedNanos;
      answerNanos += answerNanos == 0 ? took : (took - answerNanos) / 8;
    }
  }

  /** Time from a frame, sent when the peer owed no credit, to the report of its consumption; 0 if unknown. */
  long answerNanos() {
    return answerNanos;
  }

  /** Bytes sent in frames and in large messages. */
  public long sentBytes() {
    return writer.ring().written() + lane.writtenBytes();
  }

  public long lastSentNanos() {
    return lastSentNanos;
  }

  public void onReceived(long nowNanos) {
    lastReceivedNanos = nowNanos;
  }

  public long lastReceivedNanos() {
    return lastReceivedNanos;
  }

  /** The peer made progress: credit, an acknowledgement, or a completed request. */
  public void progressed(long nowNanos) {
    lastProgressNanos = nowNanos;
  }

  public long lastProgressNanos() {
    return lastProgressNanos;
  }

  /** Excludes a time without polling, which is no silence of the peer. */
  public void excuse(long nanos, long nowNanos) {
    lastReceivedNanos += Math.min(nanos, nowNanos - lastReceivedNanos);
    lastProgressNanos += Math.min(nanos, nowNanos - lastProgressNanos);
  }

  /** Describes the subchannel for people. Any thread. */
  public String explain() {
    String use = further ? ", for large messages" : "";
    return rail + " to " + endpoint.remoteDescription() + " (" + protection() + use + ")";
  }

  /** Describes the protection of the network and of the frames, for people. Any thread. */
  public String protection() {
    String checked = endpoint.isChecksummed() ? ", frames checksummed" : "";
    return ofNetwork() + checked + (sealing == null ? "" : ", frames encrypted");
  }

  private String ofNetwork() {
    return switch (endpoint.protection()) {
      case SAME_HOST -> "same host, same user";
      case LOOPBACK -> "never leaves this host";
      case TLS -> "TLS";
      case TLS_MUTUAL -> "TLS, both certified";
      case NONE -> "open to the network";
    };
  }

  @Override
  public String toString() {
    return "subchannel " + id + " over " + rail + " to " + endpoint.remoteDescription();
  }
}
