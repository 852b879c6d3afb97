package io.railflux.engine;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;

/**
 * The endpoint of one rail inside a virtual channel: the ring this side granted, the ring the peer
 * granted, and the words that return credit and acknowledgement.
 */
final class Subchannel {

  /** Memory of one subchannel on this side. */
  record Memory(
      ExposedRegion ring, ExposedRegion words, LocalMemory scratch, LocalMemory messages) {

    long bytes() {
      long sum = (long) ring.lengthBytes() + words.lengthBytes() + messages.lengthBytes();
      return scratch == null ? sum : sum + scratch.lengthBytes();
    }
  }

  final int id;
  final Rail rail;
  final Endpoint endpoint;
  final Memory memory;
  final IncomingRing incoming;
  final Sealing sealing;

  /**
   * Whether another connection to the same place has the ring that messages go through: this one carries
   * pieces of large messages, and control frames (MR8).
   */
  final boolean further;

  // Of a subchannel whose frames are sealed.
  private final SealedWords sealedWords;

  private SubchannelState state = SubchannelState.HANDSHAKING;
  private RingWriter writer;
  private BulkLane lane;
  private LocalMemory log;

  // Told to the peer: what it knows of this side's progress.
  private long toldCredit;
  private long toldAck;
  private TellPace tellPace;
  private long firstPsn;

  // Receives that are posted, each with the next number, and the one that completes next.
  private int receives;
  private long nextReceive;

  // As the peer told them last.
  private long seenCredit;
  private long seenAck;

  // Time-outs, in engine time.
  private long lastHeardNanos;
  private long lastProgressNanos;
  private long lastSentNanos;
  private long flushedPosition;

  // How long the peer takes to answer, from one frame at a time.
  private boolean timing;
  private long timedNanos;
  private long timedPosition;
  private long answerNanos;

  private boolean everLive;

  /** Which it carries, or carried; null before it is live. */
  Path path;

  /** By the striping policy: its part of what is sent. */
  double weight = 1;

  // Recovery: RESUME exchanged for this subchannel.
  boolean resumeSent;
  long resumePsn;
  boolean resumeReceived;
  String failure;

  /** Number of the lost one whose path it carries on; {@link Destination#NONE} where only its host tells that. */
  int replaces = Destination.NONE;

  /** Why it was given up for good rather than lost; null where it was not. */
  String givenUp;

  /**
   * @param further see {@link #further}
   * @param sealing how frames are sealed; null when they are not
   */
  Subchannel(
      int id,
      boolean further,
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
    FrameOpener opener = sealing == null ? null : sealing.frameOpener();
    this.incoming =
        new IncomingRing(memory.ring().memory(), memory.ring().lengthBytes(), announced, opener);
    if (capabilities().mapped()) {
      incoming.share();
    }
    this.lastHeardNanos = nowNanos;
    this.lastProgressNanos = nowNanos;
    this.lastSentNanos = nowNanos;
  }

  Capabilities capabilities() {
    return rail.fabric().capabilities();
  }

  SubchannelState state() {
    return state;
  }

  void become(SubchannelState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("subchannel " + id + ": " + state + " cannot become " + next);
    }
    state = next;
    everLive |= next == SubchannelState.LIVE;
  }

  /** Its handshake is over. */
  void goesLive(long nowNanos) {
    become(SubchannelState.LIVE);
    // Its life begins now: a handshake may take longer than silence may last.
    heard(nowNanos);
    progressed(nowNanos);
  }

  /** Whether this side ever sent anything over it but its HELLO. */
  boolean wasLive() {
    return everLive;
  }

  /** Whether both, which are live, go over the same rail to the same host. */
  boolean leadsWhere(Subchannel other) {
    return path.sharesRail(other.path);
  }

  boolean isLive() {
    return state == SubchannelState.LIVE;
  }

  /**
   * @param newTellPace when to tell progress; null for in each cycle
   * @param firstPeerPsn where the peer's numbers begin; the words count from there
   */
  void attach(RingWriter newWriter, BulkLane newLane, TellPace newTellPace, long firstPeerPsn) {
    writer = newWriter;
    lane = newLane;
    tellPace = newTellPace;
    firstPsn = firstPeerPsn;
    toldAck = firstPeerPsn;
  }

  /** What frames are posted from, as registered with this rail. */
  void ownLog(LocalMemory registered) {
    log = registered;
  }

  /** Receives for immediate data, where arrival is announced that way; they carry no bytes. */
  void postAnnouncementReceives() {
    if (!capabilities().orderedPlacement()) {
      receives = Math.min(256, capabilities().receiveQueueDepth());
      for (int i = 0; i < receives; i++) {
        endpoint.postReceive(i, memory.messages, 0, 0);
      }
    }
  }

  /** The peer announced so many slots of the ring; what a receive tells a second time is left aside. */
  void received(long receiveId, int slots) {
    if (receiveId == nextReceive) {
      nextReceive++;
      incoming.announce(slots);
      endpoint.postReceive(receiveId + receives, memory.messages, 0, 0);
    }
  }

  /** Closes the endpoint and everything registered for it. */
  void release() {
    endpoint.close();
    memory.ring.close();
    memory.words.close();
    memory.messages.close();
    if (memory.scratch != null) {
      memory.scratch.close();
    }
    if (log != null) {
      log.close();
    }
    if (lane != null) {
      lane.close();
    }
  }

  RingWriter writer() {
    return writer;
  }

  /**
   * Looks at the words, which {@link #creditWord} and {@link #ackWord} tell. That the peer wrote them is a
   * sign of life of this rail, even where another one brought the same news before.
   */
  void lookAtWords(long nowNanos) {
    if (sealedWords != null) {
      sealedWords.look(memory.words().memory());
    }
    long credit = creditWord();
    long ack = ackWord();
    if (credit != seenCredit || ack != seenAck) {
      seenCredit = credit;
      seenAck = ack;
      lastHeardNanos = nowNanos;
    }
  }

  /** The same before frames are read that came: they are a sign of life as well. */
  void lookForNews(long nowNanos) {
    lookAtWords(nowNanos);
    if (incoming.hasFrame()) {
      lastHeardNanos = nowNanos;
    }
  }

  /** Whether a cycle may find something here; always where a word in memory does not tell that. */
  boolean hasNews() {
    return !capabilities().mapped()
        || sealedWords != null
        || incoming.hasNext()
        || creditWord() != seenCredit
        || ackWord() != seenAck;
  }

  /** Whether something came that the peer did not seal. */
  boolean isForged() {
    boolean chunk = lane != null && lane.sealed() != null && lane.sealed().isForged();
    return chunk || incoming.isForged();
  }

  /** What large messages move over it; null before it is live. */
  BulkLane lane() {
    return lane;
  }

  /** The peer's word on how far it consumed this side's frames. */
  long creditWord() {
    if (sealedWords != null) {
      return sealedWords.credit();
    }
    return ControlWords.load(memory.words().memory(), ControlWords.CREDIT_OFFSET);
  }

  /** The peer's word on how many frames of this session it received without a gap. */
  long ackWord() {
    if (sealedWords != null) {
      return sealedWords.ack();
    }
    return ControlWords.load(memory.words().memory(), ControlWords.ACK_OFFSET);
  }

  /** Whether it is a connection with another host, or may be. */
  boolean leadsOut() {
    return !capabilities().mapped() && !endpoint.protection().isLocal();
  }

  /** Whether the peer knows less than this side's progress. */
  boolean owes(long ackPsn) {
    return incoming.consumed() != toldCredit || ackPsn != toldAck;
  }

  /** The positions travel in a frame instead. */
  void told(long ackPsn) {
    toldCredit = incoming.consumed();
    toldAck = ackPsn;
  }

  /**
   * In a frame that leaves now anyway, which costs nothing; else by a request of its own, when that is due. Returns
   * whether what was due is told: it must not wait for what follows.
   */
  private boolean tell(long ackPsn, boolean due) {
    long credit = incoming.consumed();
    boolean renewed = writer.renewPositions(credit, ackPsn);
    if (renewed || (due && writer.tell(credit, ackPsn - firstPsn))) {
      told(ackPsn);
      return due;
    }
    return false;
  }

  private boolean isDue(long ackPsn, long nowNanos) {
    return tellPace == null
        || tellPace.isDue(nowNanos, incoming.consumed(), toldCredit, ackPsn - toldAck);
  }

  /** Tells progress, posts what is gathered, wakes the peer if it sleeps. Returns 1 if it did any. */
  int flush(long ackPsn, long nowNanos, boolean moreFollows) {
    boolean told = owes(ackPsn) && tell(ackPsn, isDue(ackPsn, nowNanos));
    boolean flushed = writer.flush();
    if (flushed) {
      OutgoingRing ring = writer.ring();
      if (ring.isConsumed(flushedPosition)) {
        // The peer owed nothing: its time begins now.
        lastProgressNanos = nowNanos;
        timing = true;
        timedNanos = nowNanos;
        timedPosition = ring.written();
      }
      flushedPosition = ring.written();
    } else if (!told) {
      return 0;
    }
    lastSentNanos = nowNanos;
    if (moreFollows && !told) {
      endpoint.moreFollows();
    } else {
      endpoint.notifyPeer();
    }
    return 1;
  }

  /** A sign of life when there was nothing else to say for long, and there is room for it. */
  void heartbeat(long nowNanos, long intervalNanos) {
    if (nowNanos - lastSentNanos >= intervalNanos && writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      writer.publishLinkFrame(FrameType.HEARTBEAT);
      lastSentNanos = nowNanos;
    }
  }

  /** Whether the peer has yet to consume something; what is not flushed is not there to be consumed. */
  boolean isOwedCredit() {
    return !writer.ring().isConsumed(flushedPosition);
  }

  /** The peer told that it consumed more. */
  void credited(long nowNanos) {
    progressed(nowNanos);
    heard(nowNanos);
    if (timing && writer.ring().isConsumed(timedPosition)) {
      timing = false;
      long took = nowNanos - timedNanos;
      answerNanos += answerNanos == 0 ? took : (took - answerNanos) / 8;
    }
  }

  /** From a frame, when the peer owed nothing, to its word that it consumed it; 0 when unknown. */
  long answerNanos() {
    return answerNanos;
  }

  /** In frames and in large messages. */
  long sentBytes() {
    return writer.ring().written() + lane.writtenBytes();
  }

  long lastSentNanos() {
    return lastSentNanos;
  }

  void heard(long nowNanos) {
    lastHeardNanos = nowNanos;
  }

  long lastHeardNanos() {
    return lastHeardNanos;
  }

  /** The peer took something: it gave credit, acknowledged, or what was posted completed. */
  void progressed(long nowNanos) {
    lastProgressNanos = nowNanos;
  }

  long lastProgressNanos() {
    return lastProgressNanos;
  }

  /** For so long nobody looked here: that is no silence of the peer's. */
  void excuse(long nanos, long nowNanos) {
    lastHeardNanos += Math.min(nanos, nowNanos - lastHeardNanos);
    lastProgressNanos += Math.min(nanos, nowNanos - lastProgressNanos);
  }

  /** For people; any thread. */
  String explain() {
    String use = further ? ", for large messages" : "";
    return rail + " to " + endpoint.remoteDescription() + " (" + protection() + use + ")";
  }

  /** For people: of the network it goes through, and of the frames; any thread. */
  String protection() {
    return sealing == null ? ofNetwork() : ofNetwork() + ", frames encrypted";
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
