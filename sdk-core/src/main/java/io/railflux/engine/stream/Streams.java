package io.railflux.engine.stream;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.rendezvous.RendezvousProtocol;
import io.railflux.engine.rendezvous.RendezvousReceives;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.FrameOwner;
import io.railflux.engine.send.HeldFrames;
import io.railflux.engine.send.SendPath;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RailfluxException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.pipeline.CodecMismatch;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Metadatas;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RejectFrame;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.util.context.Context;

// More than 400 lines: one table of streams; each frame type has its method here.
/**
 * The streams of one peer in both directions. An id is unique among all ids of its allocator (D7).
 * {@link FrameFlags#REPLY} says whether the receiver of a frame allocated the id. Engine thread only.
 */
public final class Streams implements RendezvousReceives.Receivers {

  /** Far more refusals than a reading peer leaves waiting. */
  private static final int MAX_WAITING_REFUSALS = 16_384;

  final SessionContext session;
  final EngineContext engine;
  final EngineConfig.Limits limits;
  final ControlQueue control;
  final SendPath sendPath;
  final RendezvousProtocol rendezvous;
  final ByteFairMerge merge = new ByteFairMerge();
  final HeldFrames.Budget holdBudget;
  private final RendezvousReceives receives;
  private final Exchanges exchanges;
  private final SilenceWatch watch;
  private final LongMap<OutboundStream> outbound = new LongMap<>();
  private final LongMap<InboundStream> inbound = new LongMap<>();
  private final Map<String, InboundStream> receivers = new LinkedHashMap<>();
  private final ParkedStreams parked = new ParkedStreams();
  private final StreamDirectory directory = new StreamDirectory(parked);
  private final InboundStream.DeliveryCall delivery = new InboundStream.DeliveryCall();
  private long lastOwnId;
  private long lastPeerId;

  // Messages of one stream follow each other: the last stream looked up is the likely next.
  private InboundStream recent;

  /**
   * @param responders routes that this node serves
   * @param peerExchanges number of requests that the peer answers concurrently
   */
  public Streams(
      SessionContext session,
      ControlQueue control,
      SendPath sendPath,
      RendezvousProtocol rendezvous,
      HeldFrames.Budget holdBudget,
      Responder.Routes responders,
      int peerExchanges) {
    this.session = session;
    this.engine = session.engine();
    EngineConfig config = engine.config();
    this.limits = config.limits();
    this.control = control;
    this.sendPath = sendPath;
    this.rendezvous = rendezvous;
    this.receives = rendezvous.receives();
    this.holdBudget = holdBudget;
    this.exchanges = new Exchanges(this, responders, peerExchanges);
    this.watch = new SilenceWatch(this);
  }

  public Exchanges exchanges() {
    return exchanges;
  }

  SilenceWatch watch() {
    return watch;
  }

  /** Returns the streams with a subscriber here, announced or not. */
  Collection<InboundStream> receivers() {
    return receivers.values();
  }

  /** Gives streams their turns. Returns the number of sent messages and pieces. */
  public int drainTurns(ByteFairMerge.Rotation rotation) {
    return merge.drain(rotation);
  }

  /** Returns whether a stream waits for its turn. */
  public boolean hasTurns() {
    return !merge.isEmpty();
  }

  /** Returns whether no other stream waits for a turn. */
  public boolean isAlone(FrameOwner stream) {
    return merge.isAlone(stream);
  }

  /** Returns whether a reply may leave immediately, as no stream waits for its turn before it. */
  boolean givesTurnsAtOnce() {
    return merge.isEmpty() && !session.isReplaying();
  }

  /** Returns the streams as any thread may read them. Any thread. */
  public StreamDirectory directory() {
    return directory;
  }

  InboundStream.DeliveryCall delivery() {
    return delivery;
  }

  long newId() {
    return ++lastOwnId;
  }

  /** Opens a stream as {@link #open(String, String, boolean, ByteBuffer, DeliverySink, Context)}, not positioned. */
  public OutboundStream open(
      String name, String codec, ByteBuffer metadata, DeliverySink sink, Context context) {
    return open(name, codec, false, metadata, sink, context);
  }

  /**
   * Opens a stream to the peer. Messages flow once its subscriber requests them.
   *
   * @param positioned whether the subscriber may give a position, see {@link OutboundStream#beginOnDemand}
   * @throws IllegalArgumentException if the name cannot be sent
   */
  public OutboundStream open(
      String name,
      String codec,
      boolean positioned,
      ByteBuffer metadata,
      DeliverySink sink,
      Context context) {
    requireNames(name, codec);
    OpenFrame open = new OpenFrame(OpenFrame.STREAM, name, codec, "", positioned);
    long firstSeq = engine.origins().firstStreamSeq();
    OutboundStream.Identity identity =
        new OutboundStream.Identity(newId(), name, false, false, firstSeq);
    OutboundStream stream = new OutboundStream(this, identity, sink, context);
    outbound.put(stream.id, stream);
    directory.sent(stream);
    watch.sent();
    engine.observer().streamOpened(session.readings(), stream);
    control.send(new ControlFrame(FrameType.OPEN, 0, stream.id, firstSeq)
        .body(open.encodedBytes(), open::encode)
        .metadata(metadata));
    return stream;
  }

  /**
   * Receives the stream of the name, announced or not. Fails if the name has a subscriber already or the codec differs.
   */
  void receive(InboundStream stream) {
    String name = stream.name();
    try {
      requireNames(name, stream.codec());
    } catch (IllegalArgumentException e) {
      stream.fail(e);
      return;
    }
    if (receivers.containsKey(name)) {
      stream.fail(new StreamRejectedException(
          StreamRejectedException.Reason.DUPLICATE_NAME,
          "stream '" + name + "' of " + session.description()
              + " already has a subscriber here; receiving is unicast, use share() for more"));
      return;
    }
    if (stream.state() == InboundStream.State.ENDED) {
      return;
    }
    receivers.put(name, stream);
    directory.received(stream);
    ParkedStreams.Parked announced = parked.take(name);
    stream.askedNanos = engine.nowNanos();
    if (announced == null) {
      watch.awaited();
    } else {
      try {
        match(stream, announced);
      } catch (ProtocolViolation e) {
        session.violated(e.getMessage());
      }
    }
  }

  /** Checks the names. Streams with other names cannot be announced. */
  private static void requireNames(String name, String codec) {
    OpenFrame.requireName("name of the stream", name);
    OpenFrame.requireName("name of the codec", codec);
  }

  private void match(InboundStream receiver, ParkedStreams.Parked announced)
      throws ProtocolViolation {
    if (!receiver.codec().equals(announced.codec())) {
      String text = "stream '" + receiver.name() + "' is sent as " + announced.codec()
          + " and received as " + receiver.codec()
          + CodecMismatch.explain(announced.codec(), receiver.codec());
      receiver.fail(
          new StreamRejectedException(StreamRejectedException.Reason.CODEC_MISMATCH, text));
      reject(announced.id(), RejectFrame.CODEC_MISMATCH, text);
      return;
    }
    if (receiver.position() != 0 && !announced.positioned()) {
      String text = "stream '" + receiver.name() + "' is received from position "
          + receiver.position() + ", and its sender offers no positions";
      receiver.fail(
          new StreamRejectedException(StreamRejectedException.Reason.NOT_POSITIONED, text));
      reject(announced.id(), RejectFrame.NOT_POSITIONED, text);
      return;
    }
    inbound.put(announced.id(), receiver);
    engine.observer().streamOpened(session.readings(), receiver);
    receiver.contextListener.accept(announced.context());
    receiver.opened(announced.id(), announced.firstSeq());
    if (announced.ended()) {
      receiver.onEnd(announced.firstSeq(), announced.failure());
    }
  }

  /**
   * Refuses an announcement of the peer.
   *
   * @throws ProtocolViolation if the peer keeps announcing without reading the refusals
   */
  void reject(long id, int reason, String text) throws ProtocolViolation {
    int most = Math.max(MAX_WAITING_REFUSALS, limits.maxExchanges());
    if (control.waiting() > most) {
      throw new ProtocolViolation("it announces streams and does not read their refusals");
    }
    RejectFrame reject = new RejectFrame(reason, text);
    ControlFrame frame = new ControlFrame(FrameType.REJECT, FrameFlags.REPLY, id, 0);
    control.send(frame.body(reject.encodedBytes(), reject::encode));
  }

  /** Registers an id of the peer. Ids only increase. */
  void takePeerId(long id) throws ProtocolViolation {
    if (id - lastPeerId <= 0) {
      throw new ProtocolViolation("stream id " + id + " was used before");
    }
    lastPeerId = id;
  }

  public void onOpen(ReceivedFrame frame, OpenFrame open) throws ProtocolViolation {
    long id = frame.streamId();
    takePeerId(id);
    if (open.kind() == OpenFrame.ROUTE) {
      exchanges.onOpenRoute(id, open);
    } else {
      onOpenStream(id, frame, open);
    }
  }

  private void onOpenStream(long id, ReceivedFrame frame, OpenFrame open) throws ProtocolViolation {
    String name = open.name();
    InboundStream receiver = receivers.get(name);
    InboundStream.State before = receiver == null ? InboundStream.State.ENDED : receiver.state();
    int streams = before == InboundStream.State.DRAINING ? inbound.size() - 1 : inbound.size();
    if (before == InboundStream.State.FLOWING || parked.isOpen(name)) {
      reject(id, RejectFrame.DUPLICATE_NAME, "stream '" + name + "' is open already");
    } else if (!parked.fits(limits.maxStreams() - streams)) {
      String text = "more than " + limits.maxStreams() + " streams at once";
      reject(id, RejectFrame.TOO_MANY_STREAMS, text);
    } else if (session.isClosing()) {
      String text = engine.nodeName() + " is closing";
      reject(id, RejectFrame.CLOSING, text);
    } else {
      ParkedStreams.Parked announced = new ParkedStreams.Parked(
          id, frame.streamSeq(), open.codec(), open.positioned(), context(frame), false, null);
      if (before == InboundStream.State.AWAITING_PRODUCER) {
        match(receiver, announced);
      } else {
        // Also while the predecessor drains: its producer may have announced the next stream at
        // once.
        parked.park(name, announced, engine.nowNanos());
      }
    }
  }

  private static Map<String, String> context(ReceivedFrame frame) throws ProtocolViolation {
    try {
      return Metadatas.decode(frame).context();
    } catch (IllegalArgumentException e) {
      throw new ProtocolViolation("OPEN frame: " + e.getMessage());
    }
  }

  public void onReject(long id, RejectFrame reject) throws ProtocolViolation {
    var reasons = StreamRejectedException.Reason.values();
    // A later protocol version may have further reasons; its text names them.
    int known = Math.min(Math.max(reject.reason(), 1), reasons.length);
    var reason = reasons[known - 1];
    String text = session.description() + ": " + reject.text();
    StreamRejectedException error = new StreamRejectedException(reason, text);
    OutboundStream stream = outbound.get(id);
    if (stream != null) {
      stream.fail(error);
    } else {
      exchanges.onReject(id, error);
    }
    requireOpenedHere(id);
  }

  public void onData(ReceivedFrame frame) throws ProtocolViolation {
    InboundStream stream = recent;
    if (stream == null
        || stream.id() != frame.streamId()
        || stream.isReply() != frame.has(FrameFlags.REPLY)
        || stream.state() == InboundStream.State.ENDED) {
      countReceived();
      stream = receiving(frame);
      recent = stream;
    }
    if (stream != null) {
      stream.onData(frame);
    } else {
      requireOpened(frame);
    }
  }

  @Override
  public void onLarge(ReceivedFrame frame, RendezvousStart start) throws ProtocolViolation {
    if (start.kind() == RendezvousStart.REQUEST) {
      exchanges.large().onStart(frame, start);
      return;
    }
    InboundStream stream = receiving(frame);
    if (stream != null) {
      stream.onLarge(frame, start);
    } else {
      requireOpened(frame);
      receives.refuse(start);
    }
  }

  /** Counts received messages. Called after every poll. */
  public void countReceived() {
    if (recent != null) {
      recent.count();
    }
  }

  private InboundStream receiving(ReceivedFrame frame) {
    long id = frame.streamId();
    return frame.has(FrameFlags.REPLY) ? exchanges.reply(id) : inbound.get(id);
  }

  /** Returns whether the stream of the frame has a subscriber here. */
  public boolean isReceiving(ReceivedFrame frame) {
    return receiving(frame) != null;
  }

  private OutboundStream sending(ReceivedFrame frame) {
    long id = frame.streamId();
    return frame.has(FrameFlags.REPLY) ? outbound.get(id) : exchanges.served(id);
  }

  /** Checks the id of the frame. A frame may concern a stream that ended here, but not a stream that never existed. */
  private void requireOpened(ReceivedFrame frame) throws ProtocolViolation {
    if (frame.has(FrameFlags.REPLY)) {
      requireOpenedHere(frame.streamId());
    } else {
      requireOpened(frame.streamId(), lastPeerId);
    }
  }

  private void requireOpenedHere(long id) throws ProtocolViolation {
    requireOpened(id, lastOwnId);
  }

  private static void requireOpened(long id, long lastId) throws ProtocolViolation {
    if (id - lastId > 0) {
      throw new ProtocolViolation("stream " + id + " was never opened");
    }
  }

  public void onDemand(ReceivedFrame frame) throws ProtocolViolation {
    OutboundStream stream = sending(frame);
    boolean withoutBound = frame.has(FrameFlags.UNBOUNDED);
    if (stream != null) {
      stream.demand(frame.streamSeq(), withoutBound);
      return;
    }
    boolean coming = isOfPeer(frame)
        && exchanges.large().demand(frame.streamId(), frame.streamSeq(), withoutBound);
    if (!coming) {
      requireOpened(frame);
    }
  }

  /** Returns whether the peer allocated the number, as it does for its requests. */
  private static boolean isOfPeer(ReceivedFrame frame) {
    return !frame.has(FrameFlags.REPLY);
  }

  /** Handles the position at which the subscriber of a stream begins. */
  public void onPosition(ReceivedFrame frame) throws ProtocolViolation {
    OutboundStream stream = sending(frame);
    if (stream != null) {
      stream.beginAt(frame.streamSeq());
    } else {
      requireOpened(frame);
    }
  }

  public void onCancel(ReceivedFrame frame) throws ProtocolViolation {
    OutboundStream stream = sending(frame);
    if (stream != null) {
      stream.cancelledByPeer(frame.streamSeq());
      return;
    }
    boolean coming = isOfPeer(frame) && exchanges.large().cancel(frame.streamId());
    if (!coming) {
      requireOpened(frame);
    }
  }

  private RailfluxException remote(String stream, ErrorFrame failure) {
    if (failure == null) {
      return null;
    }
    if (StreamFailure.isClosing(failure, session.peerName())) {
      return new PeerClosedException(
          "stream '" + stream + "': " + session.description() + " is closing");
    }
    String message = failure.message().isEmpty() ? null : failure.message();
    String peer = session.description();
    return failure.origin().isEmpty()
        ? new RemoteStreamException(stream, peer, failure.exceptionClass(), message)
        : new RemoteStreamException(
            stream, peer, failure.exceptionClass(), message, failure.origin());
  }

  /** Handles COMPLETE, or ERROR with the remote failure. */
  public void onEnd(ReceivedFrame frame, ErrorFrame failure) throws ProtocolViolation {
    InboundStream stream = receiving(frame);
    if (stream != null) {
      stream.onEnd(frame.streamSeq(), remote(stream.name(), failure));
      return;
    }
    boolean wasParked =
        !frame.has(FrameFlags.REPLY) && parked.end(frame.streamId(), name -> remote(name, failure));
    if (!wasParked) {
      requireOpened(frame);
    }
  }

  void forget(OutboundStream stream) {
    if (stream.isReply()) {
      exchanges.forget(stream);
    } else {
      outbound.remove(stream.id);
      directory.ended(stream);
      engine.observer().streamClosed(session.readings(), stream);
    }
  }

  void forget(InboundStream stream) {
    stream.count();
    if (recent == stream) {
      recent = null;
    }
    if (stream.isReply()) {
      exchanges.forget(stream);
    } else {
      if (receivers.remove(stream.name(), stream)) {
        directory.ended(stream);
        watch.endedAwaiting(stream);
      }
      if (stream.id() != InboundStream.UNSENT) {
        inbound.remove(stream.id());
        engine.observer().streamClosed(session.readings(), stream);
      }
    }
  }

  /** Returns the number of streams and exchanges with outstanding sends or acknowledgements. */
  public int sendingCount() {
    return outbound.size() + exchanges.serving() + exchanges.inFlight() + exchanges.waiting();
  }

  public List<OutboundStream> outbound() {
    return outbound.values();
  }

  public List<InboundStream> inbound() {
    return inbound.values();
  }

  int openCount() {
    return outbound.size() + inbound.size();
  }

  /** Begins a close: producers stop pulling and receivers end. Accepted messages are still delivered. */
  public void drain() {
    String node = engine.nodeName();
    for (OutboundStream stream : outbound.values()) {
      stream.drain(StreamFailure.closing(node));
    }
    for (InboundStream stream : new ArrayList<>(receivers.values())) {
      stream.leave(new PeerClosedException(
          stream.what() + " of " + session.description() + ": " + node + " is closing"));
    }
  }

  public void failAll(StreamFailure failure) {
    for (OutboundStream stream : outbound.values()) {
      stream.fail(failure.forSender(stream.name, stream.acknowledged()));
    }
    for (InboundStream stream : new ArrayList<>(receivers.values())) {
      stream.fail(failure.forReceiver(stream.name()));
    }
    parked.clear();
    exchanges.failAll(failure);
    watch.stop();
  }
}
