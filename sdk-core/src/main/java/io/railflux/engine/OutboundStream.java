package io.railflux.engine;

import io.railflux.exceptions.StreamCancelledException;
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
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Sending half of a stream: pulls encoded messages as far as the far subscriber asked, byte-fair among
 * its peer's streams, and follows them until they are acknowledged. Engine thread only.
 */
public final class OutboundStream
    implements CoreSubscriber<Slot>, SlotSource, LargeMemory.Claimant, StreamReadings {

  private static final Logger LOG = LoggerFactory.getLogger(OutboundStream.class);

  /** Requested upstream at most, beyond what is sent. */
  public static final int PREFETCH = SourceDemand.PREFETCH;

  private final VirtualChannel channel;
  private final SendPath sendPath;
  private final Gathering gathering;
  private final DeliverySink sink;
  private final Context context;
  final Marker marker;
  final long id;
  final String name;
  private final int frameFlags;
  private final boolean single;

  private OutboundState state = OutboundState.OPENING;
  private Subscription upstream;

  // Positions count messages from the first number of the stream; they may wrap.
  private final long first;
  private long next;
  private final SourceDemand demand;
  private boolean inTurn;

  private long bytes;
  // Up to where messages, and from where on the deficit, are in the counts.
  private long counted;
  private long countedDeficitBytes;
  private final Deliveries deliveries = new Deliveries();
  private boolean endTold;
  private Throwable failure;

  // Fairness: bytes this stream may still send in its turn.
  long deficitBytes = ByteFairMerge.QUANTUM_BYTES;
  boolean queued;
  private boolean queuedForLarge;
  private boolean keepsTurn;
  private Runnable blocked;
  // By nothing that comes free in the ring.
  private boolean parked;

  OutboundStream(
      VirtualChannel channel, StreamIdentity identity, DeliverySink sink, Context context) {
    this.channel = channel;
    this.sendPath = channel.sendPath();
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
    this.sink = new GuardedSink(name, sink);
    this.context = context;
    this.marker = Striper.marker(context, identity.reply() ? Marker.REQUEST : Marker.STREAM);
  }

  /** Messages acknowledged so far. */
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

  OutboundState state() {
    return state;
  }

  /** Messages asked for by the far side and not sent yet. */
  @Override
  public long openDemand() {
    return demand.open(next);
  }

  boolean isReply() {
    return frameFlags != 0;
  }

  /** Whether another message may follow at once. */
  boolean goesOn() {
    return (inTurn || channel.engine().expectsMore()) && !single;
  }

  boolean fetchesLines() {
    return channel.engine().lineFetching().fetches();
  }

  /** The number of the message that is sent next. */
  long nextSeq() {
    return next;
  }

  private void become(OutboundState newState) {
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
    return channel.nowNanos();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (!Operators.validate(upstream, s)) {
      return;
    }
    upstream = s;
    if (!state.takesMessages()) {
      s.cancel();
    } else if (isReply() && channel.givesTurnsAtOnce()) {
      turn();
    } else {
      enqueue();
    }
  }

  /** The far subscriber asked for messages up to {@code position}; older positions change nothing. */
  void demand(long position, boolean withoutBound) {
    channel.engine().countArrived(1);
    demand.raise(position, withoutBound);
    if (state == OutboundState.OPENING && openDemand() > 0) {
      become(OutboundState.FLOWING);
    }
    enqueue();
  }

  private void enqueue() {
    if (!queued && upstream != null && state != OutboundState.ENDED) {
      queued = true;
      channel.merge().add(this);
    }
  }

  /** One turn in the merge; returns whether it got anywhere. */
  boolean turn() {
    queued = false;
    if (!keepsTurn) {
      credit(ByteFairMerge.QUANTUM_BYTES);
    }
    return takeTurn();
  }

  /** As {@link #turn}, for large messages only: small ones have their turn with those of others. */
  boolean turnForLarge() {
    queuedForLarge = false;
    credit(0);
    return takeTurn();
  }

  private void credit(int mostBytes) {
    deficitBytes = Math.min(deficitBytes + ByteFairMerge.QUANTUM_BYTES, mostBytes);
    countedDeficitBytes = deficitBytes;
  }

  private boolean takeTurn() {
    keepsTurn = false;
    parked = false;
    long before = demand.produced(next);
    inTurn = true;
    if (blocked != null) {
      Runnable resume = blocked;
      blocked = null;
      resume.run();
    }
    while (blocked == null && deficitBytes > 0 && requestMore()) {
      // Synchronous sources answered inside the request; ask again while the turn lasts.
    }
    inTurn = false;
    sendPath.publishGathered();
    count();
    if (parked) {
      // It goes on when a large message is over, or memory for one is there.
      return demand.produced(next) != before;
    }
    if (blocked != null && deficitBytes > 0) {
      keepTurn();
    } else if (blocked != null || (deficitBytes <= 0 && wanted() > 0)) {
      enqueue();
    }
    // A stream in deficit waits for nothing but its next turn: the engine must not sleep before.
    return demand.produced(next) != before || (queued && deficitBytes <= 0);
  }

  /** Others go first. */
  void endTurn() {
    count();
    credit(0);
  }

  /** There is no room: what comes free is this stream's until it has had its share. */
  private void keepTurn() {
    if (!queued && state != OutboundState.ENDED) {
      queued = true;
      keepsTurn = true;
      channel.merge().addFirst(this);
    }
  }

  boolean keepsTurn() {
    return keepsTurn;
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
    int flags = frameFlags | FrameFlags.ofMessage(metadataBytes, timed);
    if (sendPath.isLarge(maxBodyBytes)) {
      sendPath.requireFits(maxBodyBytes);
      boolean others = deliveries.largeOpen() > 0;
      Slot slot = mayBeLarge(maxBodyBytes) ? sends().claim(this, maxBodyBytes, others) : null;
      return orPark(slot, resume);
    }
    if (deliveries.largeOpen() > 0) {
      // The far side keeps no room for what overtakes a large message.
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
    return deficitBytes > 0 ? gathering.claim(this, maxBodyBytes) : null;
  }

  @Override
  public void gathered(int bodyBytes) {
    gathering.add(bodyBytes);
    sent(1, bodyBytes + FrameHeader.SLOT_BYTES);
    goOn();
  }

  @Override
  public <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    return inTurn ? gathering.fill(this, values, outgoing, most, deficitBytes) : 0;
  }

  /** Messages joined a frame. */
  void sent(int messages, long costBytes) {
    deficitBytes -= costBytes;
    next += messages;
  }

  /** Outside of a turn each message is counted, and more asked for. */
  private void goOn() {
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
    sendPath.requireFits(bytes);
    if (sends().canLend(memory)) {
      return orPark(mayBeLarge(bytes) ? sends().lend(this, memory) : null, resume);
    }
    Slot slot = claim(bytes, metadataBytes, timed, resume);
    if (slot != null) {
      // The codec before may have left limits around its message.
      slot.buffer.clear().put(slot.bodyOffset, memory, memory.position(), bytes);
      slot.bodyBytes = bytes;
    }
    return slot;
  }

  private RendezvousSends sends() {
    return channel.rendezvous().sends();
  }

  private boolean mayBeLarge(int bytes) {
    boolean may = sends().keepsPathBusy(deliveries.largeOpen(), bytes)
        && deliveries.largeWaiting() < RendezvousSends.MOST;
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
  public void roomAgain() {
    if (parked) {
      parked = false;
      if (!queuedForLarge && state != OutboundState.ENDED) {
        queuedForLarge = true;
        channel.merge().addForLarge(this);
        channel.engine().keepAwake();
      }
    }
  }

  @Override
  public boolean wouldAsk() {
    return !channel.recovery().isReplaying();
  }

  /** A large message is over; acknowledged, unless nobody wants it over there. */
  void largeOver(long streamSeq, boolean arrived) {
    if (state == OutboundState.ENDED) {
      return;
    }
    deliveries.largeOver(streamSeq - first, arrived);
    roomAgain();
    tellAcknowledged();
  }

  @Override
  public void onNext(Slot slot) {
    if (slot.expired) {
      // It may have waited for memory, and what comes next may not.
      channel.engine().sourceMemory().forget(this);
      sink.onExpired(demand.expire(next));
    } else {
      send(slot);
    }
    goOn();
  }

  private void send(Slot slot) {
    if (sends().isOwn(slot)) {
      sendLarge(slot);
      return;
    }
    boolean last = single && state.takesMessages();
    sendPath.commitMessage(this, last, next);
    sent(1, slot.bodyBytes + FrameHeader.SLOT_BYTES);
    if (last) {
      become(OutboundState.COMPLETING);
      endTold();
    }
  }

  /** Costs its turn what a small message does: what moves its bytes takes turns of its own. */
  private void sendLarge(Slot slot) {
    boolean last = single && state.takesMessages();
    sendPath.publishGathered();
    deliveries.largeSent(messages());
    int bodyBytes = slot.bodyBytes;
    sends().commit(this, last, next);
    sent(1, FrameHeader.SLOT_BYTES);
    bytes += bodyBytes;
    channel.counters().sent(0, bodyBytes);
    if (last) {
      become(OutboundState.COMPLETING);
      endTold();
    }
  }

  /** Once a turn instead of once a message. */
  private void count() {
    long sent = next - counted;
    long sentBytes = countedDeficitBytes - deficitBytes - sent * FrameHeader.SLOT_BYTES;
    counted = next;
    countedDeficitBytes = deficitBytes;
    bytes += sentBytes;
    channel.counters().sent(sent, sentBytes);
  }

  @Override
  public void onComplete() {
    if (!state.takesMessages()) {
      return;
    }
    become(OutboundState.COMPLETING);
    dropClaim();
    sendEnd(new ControlFrame(FrameType.COMPLETE, frameFlags, id, next));
  }

  @Override
  public void onError(Throwable error) {
    if (!state.takesMessages()) {
      Operators.onErrorDropped(error, context);
      return;
    }
    become(OutboundState.FAILING);
    dropClaim();
    failure = error;
    sendEnd(new ControlFrame(FrameType.ERROR, frameFlags, id, next).body(ErrorFrame.of(error)));
    if (isReply()) {
      // Nobody else here hears of it: the requester gets class and message only.
      LOG.warn("answering '{}' for {} failed", name, channel.description(), error);
    }
  }

  /** Nothing more is sent: neither what a codec left half-written, nor what waited for memory. */
  private void dropClaim() {
    sends().drop(this);
    channel.engine().sourceMemory().forget(this);
  }

  private void sendEnd(ControlFrame frame) {
    deliveries.endFrameSent();
    channel.control().send(frame.ownedBy(this));
  }

  /** The last frame is on its way: once the peer has it, the stream is over for the peer. */
  void endTold() {
    if (state != OutboundState.ENDED) {
      endTold = true;
      if (isReply()) {
        channel.streams().exchanges().answered();
      }
    }
  }

  boolean isEndTold() {
    return endTold;
  }

  /** More of this stream is in the peer's memory: messages, and the frame of its end. */
  void onAcknowledged(int items) {
    if (state == OutboundState.ENDED) {
      return;
    }
    deliveries.ringAcknowledged(items);
    tellAcknowledged();
  }

  private void tellAcknowledged() {
    long more = deliveries.advance(messages());
    boolean all = deliveries.isComplete(messages());
    if (more > 0) {
      // It may wait for this alone: behind a message of the ring large ones count until that is
      // there.
      roomAgain();
      sink.onAcknowledged(more);
    }
    if (all && !state.takesMessages() && state != OutboundState.ENDED) {
      end();
    }
  }

  private void end() {
    become(OutboundState.ENDED);
    channel.streams().forget(this);
    if (failure != null) {
      sink.onFailed(failure);
    } else {
      sink.onCompleted();
    }
  }

  /** Local end without sending: the far side cancelled or refused, or the peer is lost. */
  void fail(Throwable error) {
    if (state == OutboundState.ENDED) {
      return;
    }
    become(OutboundState.ENDED);
    channel.streams().forget(this);
    sends().abandon(this);
    blocked = null;
    cancelUpstream();
    sink.onFailed(error);
  }

  private void cancelUpstream() {
    if (upstream != null) {
      GuardedSink.run(name, upstream::cancel);
    }
  }

  /**
   * The far subscriber wants no more; messages before {@code position} reached it, whether or not that
   * was acknowledged already. Returns what the peer did wrong, or null.
   */
  String cancelledByPeer(long position) {
    if (position - next > 0) {
      return "cancel of stream '" + name + "' after more messages than were sent";
    }
    if (state != OutboundState.ENDED) {
      long more = deliveries.advanceTo(position - first);
      if (more > 0) {
        sink.onAcknowledged(more);
      }
    }
    fail(new StreamCancelledException(
        "stream '" + name + "' was cancelled by its receiver at " + channel.description(),
        acknowledged()));
    return null;
  }

  /** This side closes: no more is taken from the source; what was is still sent. */
  void drain(Throwable reason) {
    if (upstream instanceof Stoppable stoppable && state.takesMessages()) {
      stoppable.stop(reason);
    } else {
      cancel(reason);
    }
  }

  /** The local user gave up; what was sent stays sent, the far subscriber sees an error. */
  public void cancel(Throwable reason) {
    if (!state.takesMessages()) {
      return;
    }
    cancelUpstream();
    if (!gathering.endsLater(this, reason)) {
      onError(reason);
    }
  }
}
