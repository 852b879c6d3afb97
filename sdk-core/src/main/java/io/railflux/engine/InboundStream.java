package io.railflux.engine;

import io.railflux.metrics.StreamReadings;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousStart;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * Receiving half of a stream: brings messages into the stream's order and hands them to the one
 * subscriber, whose requests travel to the producer. {@code request} and {@code cancel} may come from
 * any thread, everything else happens on the engine thread.
 */
public final class InboundStream implements Subscription, Runnable, StreamReadings {

  /** The id of one that neither side announced. */
  static final long UNSENT = 0;

  private static final AtomicLongFieldUpdater<InboundStream> FOREIGN_REQUESTS =
      AtomicLongFieldUpdater.newUpdater(InboundStream.class, "foreignRequests");

  private final VirtualChannel channel;
  private final CoreSubscriber<? super ReceivedFrame> subscriber;

  /** Of the request that this answers. */
  final Marker marker;

  private final String name;
  private final String codec;
  private final boolean reply;

  // Requests of foreign threads, added up until the engine takes them.
  @SuppressWarnings("UnusedVariable") // Through FOREIGN_REQUESTS.
  private volatile long foreignRequests;

  private volatile boolean cancelled;

  private InboundState state = InboundState.AWAITING_PRODUCER;
  private long id;
  private long messages;
  private long bytes;
  // What the channel's counters know of.
  private long countedMessages;
  private long countedBytes;

  // Positions count from the first number of the stream; they may wrap.
  private long expected;
  private long demanded;
  private boolean unbounded;
  private long demandedBeforeOpen;
  private boolean demandQueued;
  private long toldPosition;
  private boolean toldUnbounded;

  /** Hears the context entries that came with the announcement. */
  Consumer<Map<String, String>> contextListener = context -> {};

  /** Route of the request this answers. */
  long routeId;

  private HeldFrames held;
  private LandedMessages large;
  private long end;
  private Throwable endError;

  InboundStream(
      VirtualChannel channel,
      String name,
      String codec,
      boolean reply,
      CoreSubscriber<? super ReceivedFrame> subscriber) {
    this.channel = channel;
    this.name = name;
    this.codec = codec;
    this.reply = reply;
    this.subscriber = subscriber;
    this.marker = Striper.marker(subscriber.currentContext(), Marker.REQUEST);
  }

  long id() {
    return id;
  }

  String name() {
    return name;
  }

  String codec() {
    return codec;
  }

  boolean isReply() {
    return reply;
  }

  @Override
  public String streamName() {
    return name;
  }

  @Override
  public String direction() {
    return "received";
  }

  @Override
  public long messages() {
    return messages;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** What was delivered here is acknowledged. */
  @Override
  public long acknowledged() {
    return messages;
  }

  InboundState state() {
    return state;
  }

  private void become(InboundState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("stream " + name + ": " + state + " to " + next);
    }
    state = next;
  }

  /** The peer announced it: what was requested so far goes out. */
  void opened(long newId, long firstSeq) {
    if (state == InboundState.ENDED) {
      return;
    }
    become(InboundState.FLOWING);
    id = newId;
    expected = firstSeq;
    demanded = firstSeq + demandedBeforeOpen;
    toldPosition = firstSeq;
    queueDemand();
  }

  /** Not ended: the request itself carried the demand there was. */
  void openedByRequest(long newId) {
    become(InboundState.FLOWING);
    id = newId;
    demanded = demandedBeforeOpen;
    demandTold();
  }

  @Override
  public void request(long n) {
    if (!Operators.validate(n)) {
      return;
    }
    if (channel.engine().inEngine()) {
      addDemand(n);
    } else if (FOREIGN_REQUESTS.getAndAccumulate(this, n, Operators::addCap) == 0) {
      channel.engine().execute(this);
    }
  }

  /** Takes what other threads requested or cancelled. */
  @Override
  public void run() {
    long n = FOREIGN_REQUESTS.getAndSet(this, 0);
    if (cancelled) {
      cancelOnEngine();
    } else if (n > 0) {
      addDemand(n);
    }
  }

  private void addDemand(long n) {
    if (n == Long.MAX_VALUE) {
      unbounded = true;
    }
    if (state == InboundState.AWAITING_PRODUCER) {
      demandedBeforeOpen = Operators.addCap(demandedBeforeOpen, n);
      unbounded |= demandedBeforeOpen == Long.MAX_VALUE;
      return;
    }
    long open = demanded - expected;
    if (Operators.addCap(open, n) == Long.MAX_VALUE) {
      unbounded = true;
    } else {
      demanded += n;
    }
    queueDemand();
  }

  long demandedSoFar() {
    return unbounded ? Long.MAX_VALUE : demandedBeforeOpen;
  }

  private void queueDemand() {
    if (!demandQueued && hasDemandToTell()) {
      demandQueued = true;
      channel.control().demand(this);
    }
  }

  boolean hasDemandToTell() {
    return state == InboundState.FLOWING && (unbounded ? !toldUnbounded : demanded != toldPosition);
  }

  void demandTold() {
    // What was asked for follows soon.
    channel.engine().countSent(1);
    demandQueued = false;
    toldUnbounded = unbounded;
    toldPosition = demanded;
  }

  int demandFlags() {
    return (reply ? 0 : FrameFlags.REPLY) | (unbounded ? FrameFlags.UNBOUNDED : 0);
  }

  long demandPosition() {
    return demanded;
  }

  /** Messages requested and not delivered yet. */
  @Override
  public long openDemand() {
    return unbounded ? Long.MAX_VALUE : demanded - expected;
  }

  /** Messages arrived; returns what the peer did wrong, or null. */
  String onData(ReceivedFrame frame) {
    long distance = frame.streamSeq() - expected;
    long last = frame.streamSeq() + frame.messagesLeft() - 1;
    if (distance < 0) {
      return "message " + frame.streamSeq() + " of stream '" + name + "' came twice";
    }
    if (!unbounded && last - demanded >= 0) {
      return "stream '" + name + "' got more messages than were requested";
    }
    if (state == InboundState.DRAINING && last - end >= 0) {
      return "message " + last + " of stream '" + name + "' is behind its end, " + end;
    }
    if (distance > 0) {
      if (held == null) {
        held = new HeldFrames(channel.holdBudget());
      }
      return held.hold(frame, channel.nowNanos())
          ? null
          : "messages beyond a gap exceed the bound of unacknowledged bytes";
    }
    String wrong = deliver(frame);
    return (held == null && large == null) || wrong != null ? wrong : deliverArrived();
  }

  /** What arrived before its turn and has it now. */
  private String deliverArrived() {
    String wrong = null;
    long before;
    do {
      before = expected;
      if (held != null) {
        wrong = held.deliverTo(this, channel.nowNanos());
      }
      if (wrong == null && large != null) {
        wrong = large.deliverTo(this, channel.nowNanos());
      }
    } while (wrong == null && expected != before);
    return wrong;
  }

  /** A large message was announced; returns what the peer did wrong, or null. */
  String onLarge(ReceivedFrame frame, RendezvousStart start) {
    RendezvousReceives receives = channel.rendezvous().receives();
    long seq = frame.streamSeq();
    if (state == InboundState.ENDED) {
      receives.refuse(start);
      return null;
    }
    if (large == null) {
      large = new LandedMessages();
    }
    if (seq - expected < 0 || large.contains(seq)) {
      return "message " + seq + " of stream '" + name + "' came twice";
    }
    if (!unbounded && seq - demanded >= 0) {
      return "stream '" + name + "' got more messages than were requested";
    }
    if (state == InboundState.DRAINING && seq - end >= 0) {
      return "message " + seq + " of stream '" + name + "' is behind its end, " + end;
    }
    if (large.isFull()) {
      return "stream '" + name + "' got too many large messages before an earlier one";
    }
    RendezvousReceive receive = receives.create(start, this, frame);
    large.add(seq, receive);
    receive.begin();
    return null;
  }

  /** A large message is complete. */
  void onLanded() {
    String wrong = deliverArrived();
    count();
    if (wrong != null) {
      channel.violated(wrong);
    }
  }

  /** Whether the session is over, and nothing is delivered any more. */
  boolean isCut() {
    return channel.isClosed();
  }

  /** Messages whose turn it is; returns what the peer did wrong, or null. */
  String deliver(ReceivedFrame frame) {
    return channel.streams().delivery().deliver(this, frame);
  }

  /** For {@link DeliveryCall} alone, which finds it by its name. */
  String deliverNow(ReceivedFrame frame) {
    if (frame.type() == FrameType.DATA) {
      deliverMessage(frame);
      return null;
    }
    while (!isCut() && frame.nextMessage()) {
      deliverMessage(frame);
    }
    return isCut() || frame.messagesLeft() == 0
        ? null
        : "message " + expected + " of stream '" + name + "' does not lie within its batch";
  }

  /** Adds to the counts of the channel; once a poll instead of once a message. */
  void count() {
    channel.counters().received(messages - countedMessages, bytes - countedBytes);
    countedMessages = messages;
    countedBytes = bytes;
  }

  long expected() {
    return expected;
  }

  private void deliverMessage(ReceivedFrame frame) {
    expected++;
    if (state == InboundState.ENDED) {
      return;
    }
    messages++;
    bytes += frame.bodyBytes();
    try {
      subscriber.onNext(frame);
    } catch (Throwable t) {
      cancelOnEngine();
      tellError(t);
      return;
    }
    boolean last = frame.has(FrameFlags.LAST);
    if (state == InboundState.FLOWING && !last) {
      return;
    }
    // Otherwise it ended, or was cancelled from inside, perhaps at the last message.
    if (state != InboundState.ENDED && (last || expected == end)) {
      end();
    }
  }

  /** A message that was held too long counts as delivered; the subscriber is owed another one. */
  void dropExpired(boolean last) {
    expected++;
    channel.counters().expired();
    addDemand(1);
    boolean due = last || (state == InboundState.DRAINING && expected == end);
    if (due && state != InboundState.ENDED) {
      end();
    }
  }

  /** The producer ended after that many messages; returns what the peer did wrong, or null. */
  String onEnd(long endSeq, Throwable error) {
    if (state == InboundState.ENDED) {
      return null;
    }
    if (state == InboundState.DRAINING) {
      return "stream '" + name + "' ended twice";
    }
    if (endSeq - expected < 0) {
      return "stream '" + name + "' ended at " + endSeq + ", before message " + expected;
    }
    end = endSeq;
    endError = error;
    if (expected == endSeq) {
      end();
    } else {
      become(InboundState.DRAINING);
    }
    return null;
  }

  private void end() {
    become(InboundState.ENDED);
    channel.streams().forget(this);
    releaseHeld();
    if (endError != null) {
      tellError(endError);
    } else {
      GuardedSink.run(name, subscriber::onComplete);
    }
  }

  /** Local end: the peer is lost or refused. */
  void fail(Throwable error) {
    if (state == InboundState.ENDED) {
      return;
    }
    become(InboundState.ENDED);
    channel.streams().forget(this);
    releaseHeld();
    tellError(error);
  }

  /** Who cancelled wants to hear nothing, even if the engine learns of it only now. */
  private void tellError(Throwable error) {
    if (!cancelled) {
      GuardedSink.run(name, () -> subscriber.onError(error));
    }
  }

  @Override
  public void cancel() {
    if (cancelled) {
      return;
    }
    cancelled = true;
    if (channel.engine().inEngine()) {
      cancelOnEngine();
    } else {
      channel.engine().execute(this);
    }
  }

  private void cancelOnEngine() {
    if (state == InboundState.ENDED) {
      return;
    }
    boolean known = state == InboundState.FLOWING || state == InboundState.DRAINING;
    become(InboundState.ENDED);
    channel.streams().forget(this);
    releaseHeld();
    if (known) {
      int flags = reply ? 0 : FrameFlags.REPLY;
      channel.control().send(new ControlFrame(FrameType.CANCEL, flags, id, expected));
    }
  }

  /** This side closes: the producer is told to stop, the subscriber why. */
  void leave(Throwable reason) {
    cancelOnEngine();
    tellError(reason);
  }

  private void releaseHeld() {
    if (held != null) {
      held.clear();
    }
    if (large != null) {
      large.clear();
    }
  }
}
