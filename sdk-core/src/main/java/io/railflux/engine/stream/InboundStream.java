package io.railflux.engine.stream;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Striper;
import io.railflux.engine.rendezvous.RendezvousReceive;
import io.railflux.engine.rendezvous.RendezvousReceives;
import io.railflux.engine.rendezvous.ReorderBuffer;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.HeldFrames;
import io.railflux.metrics.StreamReadings;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RendezvousStart;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

// More than 400 lines: one state machine; its demand, deliveries and end share most fields.
/**
 * Receiving half of a stream. Orders the messages of the stream and delivers them to its only subscriber, whose
 * requests are sent to the producer. {@code request} and {@code cancel} may be called from any thread. All other
 * methods run on the engine thread.
 */
public final class InboundStream
    implements Subscription,
        Runnable,
        StreamReadings,
        Occupancy.Occupant,
        HeldFrames.Receiver,
        RendezvousReceives.Receiver,
        ControlQueue.DemandSource {

  /**
   * Receiving half of a stream (D7). Allowed transitions:
   *
   * <pre>
   *   AWAITING_PRODUCER --OPEN of that name, or there already--> FLOWING
   *   FLOWING           --COMPLETE or ERROR before a message---> DRAINING
   *   FLOWING, DRAINING --end reached, cancel, peer lost-------> ENDED
   *   AWAITING_PRODUCER --cancel, refusal, peer lost-----------> ENDED
   * </pre>
   *
   * A stream that is announced and has no subscriber has no receiving half: {@link Streams} keeps its name
   * parked. The subscription that takes it out passes through AWAITING_PRODUCER.
   */
  public enum State {
    /** Subscribed here, but not announced by the peer yet. For replies: the request is not sent yet. */
    AWAITING_PRODUCER,
    FLOWING,
    /**
     * Half-closed: the end overtook earlier messages, which are large or on their way over another rail. The next
     * stream of the name may be announced and is parked.
     */
    DRAINING,
    ENDED;

    public boolean canBecome(State next) {
      return switch (this) {
        case AWAITING_PRODUCER -> next == FLOWING || next == ENDED;
        case FLOWING -> next == DRAINING || next == ENDED;
        case DRAINING -> next == ENDED;
        case ENDED -> false;
      };
    }
  }

  /** Id of a stream that neither side announced. */
  static final long UNSENT = 0;

  private static final AtomicLongFieldUpdater<InboundStream> FOREIGN_REQUESTS =
      AtomicLongFieldUpdater.newUpdater(InboundStream.class, "foreignRequests");

  private final Streams streams;
  private final SessionContext session;
  private final EngineContext engine;
  private final ControlQueue control;
  private final CoreSubscriber<? super ReceivedFrame> subscriber;

  /** Marker of the request that this stream answers. */
  final Marker marker;

  private final String name;
  private final String codec;
  private final boolean reply;
  private final ChannelCounters counters;
  private final Occupancy occupancy;

  // Requests of other threads, accumulated until the engine takes them.
  @SuppressWarnings("UnusedVariable") // Accessed through FOREIGN_REQUESTS.
  private volatile long foreignRequests;

  private volatile boolean cancelled;

  // Until the engine takes a subscription of another thread, the task of that subscription takes
  // its requests.
  private volatile boolean awaitingEngine;

  // The subscriber is inside its call of subscribe. The end of the stream is signalled after that
  // call (D17).
  private boolean subscribing;

  private State state = State.AWAITING_PRODUCER;
  private long id;
  private long messages;
  private long bytes;
  // Messages and bytes that the channel's counters include.
  private long countedMessages;
  private long countedBytes;

  // Largest message since the last count.
  private int largestBytes;

  // Positions count from the first number of the stream; they may wrap.
  private long expected;
  private long demanded;
  private boolean unbounded;
  private long demandedBeforeOpen;
  private boolean demandQueued;
  private long sentPosition;
  private boolean sentUnbounded;

  /** Receives the context entries of the announcement. */
  Consumer<Map<String, String>> contextListener = context -> {};

  /** Announced number of the route of the request that this stream answers. */
  long routeId;

  /** Route of the request that this stream answers; null for other streams, and for requests that never began. */
  RequestedRoute route;

  // The time of the last message, or of the subscription without one.
  private long movedNanos;

  // For SilenceWatch: the time of the subscription, the bound of the first reply, 0 for none, and
  // what was made known.
  long askedNanos;
  long patienceNanos;
  boolean announced;
  boolean noticed;

  /** Runs when the request of this stream is sent. */
  Runnable sentListener = () -> {};

  // Where the source of a positioned stream begins.
  private long position;

  private HeldFrames held;
  private ReorderBuffer large;
  private long end;
  private Throwable endError;

  public InboundStream(
      Streams streams,
      String name,
      String codec,
      boolean reply,
      CoreSubscriber<? super ReceivedFrame> subscriber) {
    this.streams = streams;
    this.session = streams.session;
    this.engine = streams.engine;
    this.control = streams.control;
    this.counters = session.counters();
    this.occupancy = engine.occupancy();
    this.name = name;
    this.codec = codec;
    this.reply = reply;
    this.subscriber = subscriber;
    this.marker = Striper.marker(subscriber.currentContext(), Marker.REQUEST);
  }

  @Override
  public long id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** Whether the subscriber requested the first reply, and none was delivered. */
  boolean awaitsReply() {
    return messages == 0
        && (state == State.AWAITING_PRODUCER ? demandedSoFar() > 0 : openDemand() > 0);
  }

  String codec() {
    return codec;
  }

  /** Sets where the source begins. Before the subscription. */
  void beginAt(long sourcePosition) {
    position = sourcePosition;
  }

  long position() {
    return position;
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

  /** Delivered messages are acknowledged. */
  @Override
  public long acknowledged() {
    return messages;
  }

  public State state() {
    return state;
  }

  /** Returns the time of the last message, or of the subscription without one. Any thread. */
  long movedNanos() {
    return movedNanos;
  }

  /** Describes what the next message waits for. Any thread. */
  String waitsFor() {
    return switch (state) {
      case AWAITING_PRODUCER -> "the peer to send it";
      case FLOWING -> openDemand() <= 0 ? "demand of its subscriber" : "messages of the peer";
      case DRAINING, ENDED -> "messages before the end";
    };
  }

  /** Describes the stream for messages. */
  String what() {
    return (reply ? "request '" : "receive '") + name + "'";
  }

  @Override
  public String describe() {
    String ofPeer = "' of " + session.description();
    return reply
        ? "the subscriber or a codec of a request for route '" + name + ofPeer
        : "the subscriber or codec of stream '" + name + ofPeer;
  }

  /**
   * Passes the subscription to the subscriber. The end of the stream is not signalled before
   * {@link #subscriptionBegun}.
   */
  void beginSubscription() {
    movedNanos = engine.nowNanos();
    subscribing = true;
    occupancy.enterWithin(this);
    subscriber.onSubscribe(this);
  }

  /**
   * Acts as {@link #beginSubscription}, on the subscribing thread. The subsequent task calls
   * {@link #takeForeignSubscription}.
   */
  void beginForeignSubscription() {
    awaitingEngine = true;
    subscriber.onSubscribe(this);
  }

  /** Takes requests and cancellations since {@link #beginForeignSubscription}. */
  void takeForeignSubscription() {
    // The order matters: a request that still finds the flag set is added before the sum is taken.
    awaitingEngine = false;
    movedNanos = engine.nowNanos();
    subscribing = true;
    occupancy.enterWithin(this);
    run();
  }

  void subscriptionBegun() {
    subscribing = false;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("stream " + name + ": " + state + " to " + next);
    }
    state = next;
  }

  /** Handles the announcement of the peer: sends the accumulated demand. */
  public void opened(long newId, long firstSeq) {
    if (state == State.ENDED) {
      return;
    }
    become(State.FLOWING);
    id = newId;
    expected = firstSeq;
    demanded = firstSeq + demandedBeforeOpen;
    sentPosition = firstSeq;
    if (position != 0) {
      // Control frames are sent before demand.
      control.send(new ControlFrame(FrameType.POSITION, FrameFlags.REPLY, id, position));
    }
    queueDemand();
  }

  /** Begins the stream, which must not have ended. The request itself carried the demand. */
  void openedByRequest(long newId) {
    become(State.FLOWING);
    id = newId;
    demanded = demandedBeforeOpen;
    demandSent();
    sentListener.run();
  }

  @Override
  public void request(long n) {
    if (!Operators.validate(n)) {
      return;
    }
    if (engine.inEngine()) {
      addDemand(n);
    } else if (FOREIGN_REQUESTS.getAndAccumulate(this, n, Operators::addCap) == 0
        && !awaitingEngine) {
      engine.execute(this);
    }
  }

  /** Takes requests and cancellations of other threads. */
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
    if (state == State.AWAITING_PRODUCER) {
      demandedBeforeOpen = Operators.addCap(demandedBeforeOpen, n);
      unbounded |= demandedBeforeOpen == Long.MAX_VALUE;
      return;
    }
    long open = demanded - expected;
    if (reply && messages == 0 && open == 0 && !unbounded) {
      // The first demand after the request was sent: the wait for its reply begins.
      streams.watch().requested(this);
    }
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
    if (!demandQueued && hasUnsentDemand()) {
      demandQueued = true;
      control.demand(this);
    }
  }

  @Override
  public boolean hasUnsentDemand() {
    return state == State.FLOWING && (unbounded ? !sentUnbounded : demanded != sentPosition);
  }

  @Override
  public void demandSent() {
    // Requested messages follow soon.
    engine.countSent(1);
    demandQueued = false;
    sentUnbounded = unbounded;
    sentPosition = demanded;
  }

  @Override
  public int demandFlags() {
    return (reply ? 0 : FrameFlags.REPLY) | (unbounded ? FrameFlags.UNBOUNDED : 0);
  }

  @Override
  public long demandPosition() {
    return demanded;
  }

  /** Returns the number of messages requested and not delivered yet. */
  @Override
  public long openDemand() {
    return unbounded ? Long.MAX_VALUE : demanded - expected;
  }

  public void onData(ReceivedFrame frame) throws ProtocolViolation {
    long seq = frame.streamSeq();
    requireNumbers(seq, seq + frame.messagesLeft() - 1);
    if (seq != expected) {
      hold(frame);
      return;
    }
    deliver(frame);
    if (held != null || large != null) {
      deliverArrived();
    }
  }

  private void hold(ReceivedFrame frame) throws ProtocolViolation {
    if (held == null) {
      held = new HeldFrames(streams.holdBudget);
    }
    if (!held.hold(frame, engine.nowNanos())) {
      throw new ProtocolViolation("messages beyond a gap exceed the bound of unacknowledged bytes");
    }
  }

  /** Checks that the peer sends each message once, within the demand and before the end. */
  private void requireNumbers(long first, long last) throws ProtocolViolation {
    if (first - expected < 0) {
      throw duplicate(first);
    }
    if (!unbounded && last - demanded >= 0) {
      throw new ProtocolViolation("stream '" + name + "' got more messages than were requested");
    }
    if (state == State.DRAINING && last - end >= 0) {
      throw new ProtocolViolation(
          "message " + last + " of stream '" + name + "' is behind its end, " + end);
    }
  }

  private ProtocolViolation duplicate(long seq) {
    return new ProtocolViolation("message " + seq + " of stream '" + name + "' came twice");
  }

  /** Delivers earlier arrivals whose turn has come. */
  private void deliverArrived() throws ProtocolViolation {
    long before;
    do {
      before = expected;
      if (held != null) {
        held.deliverTo(this, engine.nowNanos());
      }
      if (large != null) {
        large.deliverTo(this, engine.nowNanos());
      }
    } while (expected != before);
  }

  /** Handles the announcement of a large message. */
  void onLarge(ReceivedFrame frame, RendezvousStart start) throws ProtocolViolation {
    RendezvousReceives receives = streams.rendezvous.receives();
    long seq = frame.streamSeq();
    if (state == State.ENDED) {
      receives.refuse(start);
      return;
    }
    if (large == null) {
      large = new ReorderBuffer();
    }
    if (large.contains(seq)) {
      throw duplicate(seq);
    }
    requireNumbers(seq, seq);
    if (large.isFull()) {
      throw new ProtocolViolation(
          "stream '" + name + "' got too many large messages before an earlier one");
    }
    RendezvousReceive receive = receives.create(start, this, frame);
    large.add(seq, receive);
    receive.begin();
  }

  @Override
  public void onLanded(RendezvousReceive receive) {
    String violation = null;
    try {
      deliverArrived();
    } catch (ProtocolViolation e) {
      violation = e.getMessage();
    }
    count();
    if (violation != null) {
      session.violated(violation);
    }
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public void onNoMemory(RendezvousReceive receive, RuntimeException cause) {
    leave(cause);
  }

  /** Returns whether the session is over, so that nothing is delivered any more. */
  @Override
  public boolean isCut() {
    return session.isClosed();
  }

  /** Delivers messages whose turn has come. */
  @Override
  public void deliver(ReceivedFrame frame) throws ProtocolViolation {
    occupancy.enter(this);
    streams.delivery().deliver(this, frame);
  }

  /** Only for {@link DeliveryCall}, which looks the method up by name. */
  void deliverNow(ReceivedFrame frame) throws ProtocolViolation {
    if (frame.type() == FrameType.DATA) {
      deliverMessage(frame);
      return;
    }
    while (!isCut() && frame.nextMessage()) {
      deliverMessage(frame);
    }
    if (!isCut() && frame.messagesLeft() > 0) {
      throw new ProtocolViolation(
          "message " + expected + " of stream '" + name + "' does not lie within its batch");
    }
  }

  /** Adds to the counts of the channel, once per poll instead of once per message. */
  void count() {
    if (messages != countedMessages) {
      movedNanos = engine.nowNanos();
      if (route != null) {
        route.replied(messages - countedMessages, movedNanos);
      }
    }
    counters.received(messages - countedMessages, bytes - countedBytes, largestBytes);
    largestBytes = 0;
    countedMessages = messages;
    countedBytes = bytes;
  }

  @Override
  public long expected() {
    return expected;
  }

  private void deliverMessage(ReceivedFrame frame) {
    expected++;
    if (state == State.ENDED) {
      return;
    }
    messages++;
    int bodyBytes = frame.bodyBytes();
    bytes += bodyBytes;
    if (bodyBytes > largestBytes) {
      largestBytes = bodyBytes;
    }
    try {
      subscriber.onNext(frame);
    } catch (Throwable t) {
      cancelOnEngine();
      signalError(t);
      return;
    }
    boolean last = frame.has(FrameFlags.LAST);
    if (state == State.FLOWING && !last) {
      return;
    }
    // Otherwise the stream ended or was cancelled from inside, perhaps at the last message.
    if (state != State.ENDED && (last || expected == end)) {
      end();
    }
  }

  /** Drops a message that was held too long. It counts as delivered, and the subscriber is owed another message. */
  @Override
  public void dropExpired(boolean last) {
    expected++;
    counters.expired();
    addDemand(1);
    boolean due = last || (state == State.DRAINING && expected == end);
    if (due && state != State.ENDED) {
      end();
    }
  }

  /** Handles the end of the producer after {@code endSeq} messages. */
  public void onEnd(long endSeq, Throwable error) throws ProtocolViolation {
    if (state == State.ENDED) {
      return;
    }
    occupancy.enter(this);
    if (state == State.DRAINING) {
      throw new ProtocolViolation("stream '" + name + "' ended twice");
    }
    if (endSeq - expected < 0) {
      throw new ProtocolViolation(
          "stream '" + name + "' ended at " + endSeq + ", before message " + expected);
    }
    end = endSeq;
    endError = error;
    if (expected == endSeq) {
      end();
    } else {
      become(State.DRAINING);
    }
  }

  private void end() {
    become(State.ENDED);
    streams.forget(this);
    releaseHeld();
    if (subscribing) {
      signalLater(endError);
    } else if (endError != null) {
      signalError(endError);
    } else {
      Guarded.run(name, subscriber::onComplete);
    }
  }

  /** Ends the stream locally: the peer is lost or refused. */
  void fail(Throwable error) {
    if (subscribing) {
      failLater(error);
    } else if (endLocally()) {
      signalError(error);
    }
  }

  /**
   * Ends the stream as {@link #fail} does, but signals in a separate task: the subscriber may subscribe again inside
   * the signal, and fail again (D17).
   */
  void failLater(Throwable error) {
    if (endLocally()) {
      signalLater(error);
    }
  }

  /** Ends the stream. Returns whether it had not ended before. */
  private boolean endLocally() {
    if (state == State.ENDED) {
      return false;
    }
    become(State.ENDED);
    streams.forget(this);
    releaseHeld();
    return true;
  }

  /** @param error null if the stream completes */
  private void signalLater(Throwable error) {
    engine.subscriptionFailed(what() + " of " + session.description());
    engine.execute(() -> {
      if (error != null) {
        signalError(error);
      } else if (!cancelled) {
        Guarded.run(name, subscriber::onComplete);
      }
    });
  }

  /** Signals the error unless the subscriber cancelled, even if the engine learns of the cancellation only now. */
  private void signalError(Throwable error) {
    if (!cancelled) {
      occupancy.enterWithin(this);
      Guarded.run(name, () -> subscriber.onError(error));
    }
  }

  @Override
  public void cancel() {
    if (cancelled) {
      return;
    }
    cancelled = true;
    if (engine.inEngine()) {
      cancelOnEngine();
    } else {
      engine.execute(this);
    }
  }

  private void cancelOnEngine() {
    boolean known = state == State.FLOWING || state == State.DRAINING;
    if (endLocally() && known) {
      int flags = reply ? 0 : FrameFlags.REPLY;
      control.send(new ControlFrame(FrameType.CANCEL, flags, id, expected));
    }
  }

  /** Ends the stream because this side closes: stops the producer and reports the reason to the subscriber. */
  void leave(Throwable reason) {
    if (state == State.ENDED) {
      return;
    }
    cancelOnEngine();
    signalError(reason);
  }

  private void releaseHeld() {
    if (held != null) {
      held.clear();
    }
    if (large != null) {
      large.clear();
    }
  }

  /**
   * The call from the engine into a subscriber's pipeline, once per frame. HotSpot does not inline it.
   *
   * <p>HotSpot inlines up to 15 calls deep from the compiled method ({@code MaxInlineLevel}), and the choice of that
   * method is arbitrary. With a method high up in the engine, the limit fell within codec and operators. Each buffer
   * access became a call, and messages of 4 and 64 KiB reached little more than half their rate. A non-constant method
   * handle is never inlined, so the depth is counted from here at most.
   */
  static final class DeliveryCall {

    private static final MethodHandle DELIVER_NOW = find();

    // Not used as a static final: the compiler would treat the handle as a constant and inline its
    // target.
    private final MethodHandle deliverNow = DELIVER_NOW;

    private static MethodHandle find() {
      try {
        MethodType type = MethodType.methodType(void.class, ReceivedFrame.class);
        return MethodHandles.lookup().findVirtual(InboundStream.class, "deliverNow", type);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    void deliver(InboundStream stream, ReceivedFrame frame) throws ProtocolViolation {
      try {
        deliverNow.invokeExact(stream, frame);
      } catch (ProtocolViolation | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError("an undeclared checked exception", e);
      }
    }
  }
}
