package io.railflux.engine.stream;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.RepeatedWarning;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.send.BatchBuilder;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.StreamReadings;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Filling;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.pipeline.SlotSource;
import io.railflux.pipeline.Stoppable;
import io.railflux.policy.Marker;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

// More than 400 lines: one state machine; its turns, large messages and end share most fields.
/**
 * Sending half of a stream. Pulls encoded messages within the demand of the remote subscriber, byte-fairly among the
 * streams of its peer, and tracks them until they are acknowledged. Engine thread only.
 */
public final class OutboundStream
    implements CoreSubscriber<Slot>, SlotSource, RendezvousSends.Sender, StreamReadings {

  /** The identity of a stream. */
  public record Identity(long id, String name, boolean reply, boolean single, long firstSeq) {}

  /**
   * The user code that runs for a stream to a peer.
   *
   * @param reply whether the stream answers a request
   */
  record PublisherOccupant(SessionContext session, String stream, boolean reply)
      implements Occupancy.Occupant {

    @Override
    public String describe() {
      String toPeer = "' to " + session.description();
      return reply
          ? "the publisher or codec of replies of route '" + stream + toPeer
          : "the publisher, a codec or the result of stream '" + stream + toPeer;
    }
  }

  /**
   * Sending half of a stream (D7). Allowed transitions:
   *
   * <pre>
   *   OPENING          --first demand-----------------> FLOWING
   *   OPENING, FLOWING --source ended or given up-----> ENDING
   *   ENDING           --end written------------------> HALF_CLOSED
   *   HALF_CLOSED      --all acknowledged-------------> ENDED
   *   any              --far cancel, reject, peer lost> ENDED
   * </pre>
   */
  public enum State {
    /** Announced. The remote side has not requested messages; it may have no subscriber. */
    OPENING,
    /** Messages flow within the demand. */
    FLOWING,
    /** The source completed, failed or was given up. The frame with the end waits for room. */
    ENDING,
    /** The end is on its way: for the peer, the stream is over when it arrives. Acknowledgements are outstanding. */
    HALF_CLOSED,
    ENDED;

    public boolean canBecome(State next) {
      return switch (this) {
        case OPENING -> next == FLOWING || next == ENDING || next == ENDED;
        case FLOWING -> next == ENDING || next == ENDED;
        case ENDING -> next == HALF_CLOSED || next == ENDED;
        case HALF_CLOSED -> next == ENDED;
        case ENDED -> false;
      };
    }

    public boolean takesMessages() {
      return this == OPENING || this == FLOWING;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(OutboundStream.class);

  /** Maximum number of values requested upstream beyond those sent. */
  public static final int PREFETCH = SourceDemand.PREFETCH;

  private final Streams streams;
  private final SessionContext session;
  private final EngineContext engine;
  private final ControlQueue control;
  private final RendezvousSends sends;
  private final ByteFairMerge merge;
  private final ChannelCounters counters;
  private final SendPath sendPath;
  private final BatchBuilder gathering;
  private final DeliverySink sink;
  private final Context context;
  final Marker marker;
  public final long id;
  final String name;
  private final int frameFlags;
  private final boolean single;
  private final Occupancy occupancy;
  private final Occupancy.Occupant occupant;

  // For SilenceWatch: the time of the announcement, and whether its wait was logged.
  final long sinceNanos;
  boolean noticed;
  // The time of the last message, or of the announcement without one.
  private long movedNanos;

  private State state = State.OPENING;
  private Subscription upstream;

  // Subscribes to a source that begins with the first demand; null for other sources, and
  // afterwards.
  private LongConsumer source;
  private long sourcePosition;

  // Positions count messages from the first number of the stream; they may wrap.
  private final long first;
  private long next;
  private final SourceDemand demand;

  private long bytes;
  // Position up to which messages are counted, and deficit at the last count.
  private long counted;
  private long countedDeficitBytes;
  private final Deliveries deliveries = new Deliveries();

  // Null if the source completed.
  private Throwable failure;

  // Fairness: bytes that this stream may still send in its turn.
  long deficitBytes = ByteFairMerge.QUANTUM_BYTES;
  private ByteFairMerge.Place place = ByteFairMerge.Place.ABSENT;

  // Three facts that are independent of the place, and of each other.
  // A turn runs now, in the queue's order or for a large message.
  private boolean inTurn;
  // The stream is in the merge's queue for large messages, too.
  private boolean queuedForLarge;
  // The blocked codec waits for memory or for a large message. Freed ring room does not end the
  // wait.
  private boolean parked;

  // Resumes the codec that found no room.
  private Runnable blocked;

  public OutboundStream(Streams streams, Identity identity, DeliverySink sink, Context context) {
    this.streams = streams;
    this.session = streams.session;
    this.engine = streams.engine;
    this.control = streams.control;
    this.sendPath = streams.sendPath;
    this.sends = streams.rendezvous.sends();
    this.merge = streams.merge;
    this.counters = session.counters();
    this.occupancy = engine.occupancy();
    this.gathering = sendPath.gathering();
    this.id = identity.id();
    this.name = identity.name();
    this.frameFlags = identity.reply() ? FrameFlags.REPLY : 0;
    this.single = identity.single();
    this.first = identity.firstSeq();
    this.next = first;
    this.counted = first;
    this.demand = new SourceDemand(first);
    this.countedDeficitBytes = deficitBytes;
    this.occupant = new PublisherOccupant(session, name, identity.reply());
    this.sink = new Guarded.Sink(name, sink, occupancy, occupant);
    this.context = context;
    this.sinceNanos = engine.nowNanos();
    this.movedNanos = sinceNanos;
    this.marker = Striper.marker(context, identity.reply() ? Marker.REQUEST : Marker.STREAM);
    occupancy.enterWithin(occupant);
  }

  /** Returns the number of messages acknowledged so far. */
  @Override
  public long acknowledged() {
    return deliveries.acknowledged();
  }

  @Override
  public String streamName() {
    return name;
  }

  @Override
  public String direction() {
    return "sent";
  }

  @Override
  public long messages() {
    return next - first;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  public State state() {
    return state;
  }

  /** Returns the time of the last message, or of the announcement without one. Any thread. */
  long movedNanos() {
    return movedNanos;
  }

  /** Describes what the next message waits for. Any thread. */
  String waitsFor() {
    return switch (state) {
      case OPENING -> "a subscriber at the peer";
      case FLOWING ->
        openDemand() <= 0
            ? "demand of the subscriber at the peer"
            : blocked == null ? "its source" : parked ? "memory for a large message" : credit();
      case ENDING, HALF_CLOSED, ENDED -> "acknowledgements";
    };
  }

  private String credit() {
    PeerReadings rings = session.readings();
    return "credit: the peer has not consumed %,d of %,d bytes in its rings"
        .formatted(rings.ringOccupancyBytes(), rings.ringCapacityBytes());
  }

  /** Returns the number of messages requested by the remote side and not sent yet. */
  @Override
  public long openDemand() {
    return demand.open(next);
  }

  @Override
  public boolean isReply() {
    return frameFlags != 0;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Marker marker() {
    return marker;
  }

  /** Returns whether another message may follow immediately. */
  @Override
  public boolean mayContinue() {
    return (inTurn || engine.expectsMore()) && !single;
  }

  @Override
  public boolean fetchesLines() {
    return engine.fetchesLines();
  }

  /** Returns the number of the next message. */
  @Override
  public long nextSeq() {
    return next;
  }

  private void move(ByteFairMerge.Place newPlace) {
    if (!place.canBecome(newPlace)) {
      throw new IllegalStateException("stream " + name + ": " + place + " to " + newPlace);
    }
    place = newPlace;
  }

  private void become(State newState) {
    if (!state.canBecome(newState)) {
      throw new IllegalStateException("stream " + name + ": " + state + " to " + newState);
    }
    state = newState;
  }

  @Override
  public Context currentContext() {
    return context;
  }

  @Override
  public long nowNanos() {
    return engine.nowNanos();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (Operators.validate(upstream, s)) {
      upstream = s;
      if (!state.takesMessages()) {
        s.cancel();
      } else if (isReply() && streams.givesTurnsAtOnce()) {
        credit(ByteFairMerge.QUANTUM_BYTES);
        takeTurn();
      } else {
        enqueue();
      }
    }
  }

  /**
   * Defers the subscription to the source until the first demand. {@code starter} receives the position of the remote
   * subscriber, 0 if it gives none, and subscribes this stream to the source.
   */
  public void beginOnDemand(LongConsumer starter) {
    source = starter;
  }

  /** Notes that the stream is an offer: a peer that does not receive it is no reason for a message. */
  public void isOffered() {
    noticed = true;
  }

  /** Handles the position of the remote subscriber. */
  void beginAt(long position) throws ProtocolViolation {
    if (position < 0 || state == State.FLOWING) {
      throw new ProtocolViolation("position " + position + " of stream '" + name
          + "' is negative, or came after the first demand");
    }
    sourcePosition = position;
  }

  /** Handles the remote demand for messages up to {@code position}. Older positions have no effect. */
  public void demand(long position, boolean withoutBound) {
    engine.countArrived(1);
    beginSource();
    demand.raise(position, withoutBound);
    if (state == State.OPENING && openDemand() > 0) {
      become(State.FLOWING);
    }
    enqueue();
  }

  private void beginSource() {
    LongConsumer starter = source;
    if (starter != null && state == State.OPENING) {
      source = null;
      occupancy.enter(occupant);
      starter.accept(sourcePosition);
    }
  }

  private void enqueue() {
    if (place == ByteFairMerge.Place.ABSENT && upstream != null && state != State.ENDED) {
      move(ByteFairMerge.Place.QUEUED);
      merge.add(this);
    }
  }

  /** Takes one turn in the merge. Returns whether the stream progressed. */
  boolean turn() {
    boolean continues = keepsTurn();
    move(ByteFairMerge.Place.ABSENT);
    if (!continues) {
      credit(ByteFairMerge.QUANTUM_BYTES);
    }
    return takeTurn();
  }

  /**
   * Takes a turn as {@link #turn} does, for large messages only. Small messages have their turn with those of other
   * streams.
   */
  boolean turnForLarge() {
    queuedForLarge = false;
    if (keepsTurn()) {
      move(ByteFairMerge.Place.QUEUED);
    }
    credit(0);
    return takeTurn();
  }

  private void credit(int maxBytes) {
    deficitBytes = Math.min(deficitBytes + ByteFairMerge.QUANTUM_BYTES, maxBytes);
    countedDeficitBytes = deficitBytes;
  }

  private boolean takeTurn() {
    parked = false;
    long before = demand.produced(next);
    occupancy.enter(occupant);
    inTurn = true;
    if (blocked != null) {
      Runnable resume = blocked;
      blocked = null;
      resume.run();
    }
    while (blocked == null && deficitBytes > 0 && requestMore()) {
      // Synchronous sources answered inside the request; request again while the turn lasts.
    }
    inTurn = false;
    sendPath.publishGathered();
    count();
    return queueAfterTurn(demand.produced(next) != before);
  }

  /** Queues the stream if it has more to send. Returns whether it progressed, or is due in the next cycle. */
  private boolean queueAfterTurn(boolean progressed) {
    if (parked) {
      // The stream continues when a large message is over or memory is available.
      return progressed;
    }
    if (blocked != null && deficitBytes > 0) {
      keepTurn();
    } else if (blocked != null || (deficitBytes <= 0 && wanted() > 0)) {
      enqueue();
    }
    // A stream in deficit waits only for its next turn: the engine must not sleep before.
    return progressed || (isQueued() && deficitBytes <= 0);
  }

  /** Yields to other streams. */
  @Override
  public void endTurn() {
    count();
    credit(0);
  }

  /** Keeps the turn for lack of room. */
  private void keepTurn() {
    if (place == ByteFairMerge.Place.ABSENT && state != State.ENDED) {
      move(ByteFairMerge.Place.FIRST);
      merge.addFirst(this);
    }
  }

  boolean keepsTurn() {
    return place == ByteFairMerge.Place.FIRST;
  }

  boolean isQueued() {
    return place != ByteFairMerge.Place.ABSENT;
  }

  private long wanted() {
    return upstream == null || !state.takesMessages() ? 0 : demand.wanted(next);
  }

  private boolean requestMore() {
    long wanted = wanted();
    if (wanted <= 0 || (demand.outstanding(next) > 0 && wanted < PREFETCH / 4)) {
      return false;
    }
    demand.requested(wanted);
    try {
      upstream.request(wanted);
    } catch (Throwable e) {
      cancel(e);
    }
    return demand.outstanding(next) == 0;
  }

  @Override
  public Slot claim(int maxBodyBytes, int metadataBytes, boolean timed, Runnable resume) {
    occupancy.enterWithin(occupant);
    int flags = frameFlags | FrameFlags.ofMessage(metadataBytes, timed);
    sendPath.requireFits(name, maxBodyBytes);
    if (sendPath.isLarge(maxBodyBytes)) {
      boolean others = deliveries.largeOpen() > 0;
      Slot slot = mayBeLarge(maxBodyBytes) ? sends().claim(this, maxBodyBytes, others) : null;
      return orPark(slot, resume);
    }
    if (deliveries.largeOpen() > 0) {
      // The remote side has no room for messages that overtake a large message.
      return orPark(null, resume);
    }
    Slot slot =
        deficitBytes > 0 ? sendPath.claimMessage(this, flags, maxBodyBytes, metadataBytes) : null;
    if (slot == null) {
      blocked = resume;
      if (!inTurn) {
        enqueue();
      }
    }
    return slot;
  }

  @Override
  public Slot gather(int maxBodyBytes) {
    occupancy.enterWithin(occupant);
    return deficitBytes > 0 ? gathering.claim(this, maxBodyBytes) : null;
  }

  @Override
  public void gathered(int bodyBytes) {
    gathering.add(bodyBytes);
    sent(1, bodyBytes + FrameHeader.SLOT_BYTES);
    countAndRequest();
  }

  @Override
  public <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    return inTurn ? gathering.fill(this, values, outgoing, most, deficitBytes) : 0;
  }

  /** Handles messages that were added to a frame. */
  @Override
  public void sent(int messages, long costBytes) {
    deficitBytes -= costBytes;
    next += messages;
  }

  /** Outside of a turn, counts each message and requests more. */
  private void countAndRequest() {
    if (!inTurn) {
      count();
      requestMore();
    }
  }

  @Override
  public boolean isLarge(int maxBodyBytes) {
    return sendPath.isLarge(maxBodyBytes);
  }

  @Override
  public Slot lend(ByteBuffer memory, int metadataBytes, boolean timed, Runnable resume) {
    int bytes = memory.remaining();
    sendPath.requireFits(name, bytes);
    if (sends().canLend(memory)) {
      return orPark(mayBeLarge(bytes) ? sends().lend(this, memory) : null, resume);
    }
    Slot slot = claim(bytes, metadataBytes, timed, resume);
    if (slot != null) {
      // An earlier codec may have left its limits in the buffer.
      slot.buffer.clear().put(slot.bodyOffset, memory, memory.position(), bytes);
      slot.bodyBytes = bytes;
    }
    return slot;
  }

  private RendezvousSends sends() {
    return sends;
  }

  private boolean mayBeLarge(int bytes) {
    boolean may = sends().keepsPathBusy(deliveries.largeOpen(), bytes)
        && deliveries.largeWaiting() < RendezvousSends.MAX_TRANSFERS;
    if (!may) {
      sends().leaveQueue(this);
    }
    return may;
  }

  private Slot orPark(Slot claimed, Runnable resume) {
    if (claimed == null) {
      blocked = resume;
      parked = true;
    }
    return claimed;
  }

  @Override
  public void onMemoryAvailable() {
    if (parked) {
      parked = false;
      if (!queuedForLarge && state != State.ENDED) {
        queuedForLarge = true;
        merge.addForLarge(this);
        engine.keepAwake();
      }
    }
  }

  @Override
  public boolean wouldRetry() {
    return !session.isReplaying();
  }

  /** Handles the end of a large message. It is acknowledged unless the remote side no longer wants it. */
  @Override
  public void largeOver(long streamSeq, boolean arrived) {
    if (state != State.ENDED) {
      deliveries.largeOver(streamSeq - first, arrived);
      onMemoryAvailable();
      signalAcknowledged();
    }
  }

  @Override
  public void onNext(Slot slot) {
    if (slot.expired) {
      // The dropped message may have waited for memory that the next message does not need.
      sends.leaveQueue(this);
      sink.onExpired(demand.expire(next));
    } else {
      send(slot);
    }
    countAndRequest();
  }

  private void send(Slot slot) {
    boolean last = single && state.takesMessages();
    if (sends().isOwn(slot)) {
      sendLarge(last, slot.bodyBytes);
    } else {
      sendPath.commitMessage(this, last, next);
      sent(1, slot.bodyBytes + FrameHeader.SLOT_BYTES);
    }
    if (last) {
      become(State.ENDING);
      endSent();
    }
  }

  /** Charges the turn as for a small message: the transfer of the bytes takes turns of its own. */
  private void sendLarge(boolean last, int bodyBytes) {
    sendPath.publishGathered();
    deliveries.largeSent(messages());
    sends().commit(this, last, next);
    sent(1, FrameHeader.SLOT_BYTES);
    bytes += bodyBytes;
    counters.sent(0, bodyBytes);
  }

  /** Counts once per turn instead of once per message. */
  private void count() {
    long sent = next - counted;
    long sentBytes = countedDeficitBytes - deficitBytes - sent * FrameHeader.SLOT_BYTES;
    if (sent != 0) {
      movedNanos = engine.nowNanos();
    }
    counted = next;
    countedDeficitBytes = deficitBytes;
    bytes += sentBytes;
    counters.sent(sent, sentBytes);
  }

  @Override
  public void onComplete() {
    if (state.takesMessages()) {
      become(State.ENDING);
      dropClaim();
      sendEnd(new ControlFrame(FrameType.COMPLETE, frameFlags, id, next));
    }
  }

  @Override
  public void onError(Throwable error) {
    if (!state.takesMessages()) {
      Operators.onErrorDropped(error, context);
      return;
    }
    become(State.ENDING);
    dropClaim();
    failure = error;
    sendEnd(new ControlFrame(FrameType.ERROR, frameFlags, id, next)
        .body(StreamFailure.describe(error)));
    if (isReply()) {
      // No other place reports the failure: the requester receives class and message only.
      reportFailedReply(error);
    }
  }

  private void reportFailedReply(Throwable error) {
    RepeatedWarning failures = streams.exchanges().failuresOf(name);
    if (failures.isDue(engine.nowNanos())) {
      LOG.warn(
          "answering '{}' for {} failed{}",
          name,
          session.description(),
          failures.sinceLastReport(),
          error);
    }
  }

  /** Drops a half-written message of a codec, or a message that waited for memory. */
  private void dropClaim() {
    sends().drop(this);
    sends.leaveQueue(this);
  }

  private void sendEnd(ControlFrame frame) {
    deliveries.endFrameSent();
    control.send(frame.ownedBy(this));
  }

  @Override
  public void endSent() {
    if (state != State.ENDED) {
      become(State.HALF_CLOSED);
      answered();
    }
  }

  /** Notes that this side keeps no place for the request any more. */
  private void answered() {
    if (isReply()) {
      streams.exchanges().answered();
    }
  }

  /** Handles the arrival of messages, and of the end frame, in the peer's memory. */
  @Override
  public void onAcknowledged(int items) {
    if (state != State.ENDED) {
      deliveries.ringAcknowledged(items);
      signalAcknowledged();
    }
  }

  private void signalAcknowledged() {
    long more = deliveries.advance(messages());
    boolean all = deliveries.isComplete(messages());
    if (more > 0) {
      // The stream may wait for this alone: large messages behind a ring message count until then.
      onMemoryAvailable();
      sink.onAcknowledged(more);
    }
    if (all && !state.takesMessages() && state != State.ENDED) {
      end();
    }
  }

  private void leave() {
    boolean endWritten = state == State.HALF_CLOSED;
    become(State.ENDED);
    streams.forget(this);
    if (!endWritten) {
      answered();
    }
  }

  private void end() {
    leave();
    if (failure != null) {
      sink.onFailed(isOwnClosing() ? closingOfThisNode() : failure);
    } else {
      sink.onCompleted();
    }
  }

  /** Whether the stream ended because this node closes. The text for the peer does not name the stream. */
  private boolean isOwnClosing() {
    return StreamFailure.isClosing(ErrorFrame.of(failure), engine.nodeName());
  }

  private PeerClosedException closingOfThisNode() {
    return new PeerClosedException(
        "stream '" + name + "' to " + session.description() + ": " + failure.getMessage());
  }

  /** Ends the stream locally without a frame: the remote side cancelled or refused, or the peer is lost. */
  void fail(Throwable error) {
    if (state == State.ENDED) {
      return;
    }
    leave();
    sends().abandon(this);
    blocked = null;
    cancelUpstream();
    sink.onFailed(error);
  }

  private void cancelUpstream() {
    if (upstream != null) {
      Guarded.run(name, upstream::cancel);
    }
  }

  /**
   * Handles the cancellation by the remote subscriber. Messages before {@code position} reached it, acknowledged or
   * not.
   */
  void cancelledByPeer(long position) throws ProtocolViolation {
    if (position - next > 0) {
      throw new ProtocolViolation(
          "cancel of stream '" + name + "' after more messages than were sent");
    }
    if (state != State.ENDED) {
      long more = deliveries.advanceTo(position - first);
      if (more > 0) {
        sink.onAcknowledged(more);
      }
    }
    fail(new StreamCancelledException(
        "stream '" + name + "' was cancelled by its receiver at " + session.description(),
        acknowledged()));
  }

  /** Stops pulling from the source because this side closes. Pulled messages are still sent. */
  public void drain(Throwable reason) {
    if (upstream instanceof Stoppable stoppable && state.takesMessages()) {
      stoppable.stop(reason);
    } else {
      cancel(reason);
    }
  }

  /** Cancels the stream locally. Sent messages stay sent; the remote subscriber receives an error. */
  public void cancel(Throwable reason) {
    if (state.takesMessages()) {
      cancelUpstream();
      if (!gathering.endsLater(this, reason)) {
        onError(reason);
      }
    }
  }
}
