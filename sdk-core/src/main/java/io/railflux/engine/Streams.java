package io.railflux.engine;

import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamRejectedException;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The streams of one peer in both directions. An id is unique among those its allocator ever used
 * (D7); {@link FrameFlags#REPLY} says whether the receiver of a frame allocated it. Engine thread only.
 */
public final class Streams {

  /** Far more than a peer that reads leaves waiting. */
  private static final int MOST_WAITING_REFUSALS = 16_384;

  private final VirtualChannel channel;
  private final Exchanges exchanges;
  private final LongMap<OutboundStream> outbound = new LongMap<>();
  private final LongMap<InboundStream> inbound = new LongMap<>();
  private final Map<String, InboundStream> receivers = new LinkedHashMap<>();
  private final ParkedStreams parked = new ParkedStreams();
  private final DeliveryCall delivery = new DeliveryCall();
  private long lastOwnId;
  private long lastPeerId;

  // Messages of one stream follow each other: the last one looked up is the likely next.
  private InboundStream recent;

  Streams(VirtualChannel channel, int peerExchanges) {
    this.channel = channel;
    this.exchanges = new Exchanges(channel, peerExchanges);
  }

  public Exchanges exchanges() {
    return exchanges;
  }

  DeliveryCall delivery() {
    return delivery;
  }

  long newId() {
    return ++lastOwnId;
  }

  /**
   * Opens a stream to the peer. Messages flow once its subscriber asks for them.
   *
   * @throws IllegalArgumentException when the name cannot be sent
   */
  public OutboundStream open(
      String name, String codec, ByteBuffer metadata, DeliverySink sink, Context context) {
    requireNames(name, codec);
    OpenFrame open = new OpenFrame(OpenFrame.STREAM, name, codec, "");
    long firstSeq = channel.engine().origins().firstStreamSeq();
    StreamIdentity identity = new StreamIdentity(newId(), name, false, false, firstSeq);
    OutboundStream stream = new OutboundStream(channel, identity, sink, context);
    outbound.put(stream.id, stream);
    channel.engine().observer().streamOpened(channel.readings(), stream);
    channel
        .control()
        .send(new ControlFrame(FrameType.OPEN, 0, stream.id, firstSeq)
            .body(open.encodedBytes(), open::encode)
            .metadata(metadata));
    return stream;
  }

  /**
   * Subscribes to the stream of that name, announced or not. The subscriber gets its subscription
   * before this returns, or an error when the name has a subscriber already or the codec differs.
   */
  public void receive(
      String name,
      String codec,
      Consumer<Map<String, String>> contextListener,
      CoreSubscriber<? super ReceivedFrame> subscriber) {
    try {
      requireNames(name, codec);
    } catch (IllegalArgumentException e) {
      Operators.error(subscriber, e);
      return;
    }
    InboundStream stream = new InboundStream(channel, name, codec, false, subscriber);
    stream.contextListener = contextListener;
    subscriber.onSubscribe(stream);
    if (receivers.containsKey(name)) {
      stream.fail(new StreamRejectedException(
          StreamRejectedException.Reason.DUPLICATE_NAME,
          "stream '" + name + "' of " + channel.description()
              + " already has a subscriber here; receiving is unicast, use share() for more"));
      return;
    }
    if (stream.state() == InboundState.ENDED) {
      return;
    }
    receivers.put(name, stream);
    ParkedStream announced = parked.take(name);
    if (announced != null) {
      match(stream, announced);
    }
  }

  /** Nobody could ever announce others. */
  private static void requireNames(String name, String codec) {
    OpenFrame.requireName("name of the stream", name);
    OpenFrame.requireName("name of the codec", codec);
  }

  /** The reply stream of a request; its subscriber gets its subscription before this returns. */
  public InboundStream replies(
      String route, String codec, CoreSubscriber<? super ReceivedFrame> subscriber) {
    InboundStream stream = new InboundStream(channel, route, codec, true, subscriber);
    subscriber.onSubscribe(stream);
    return stream;
  }

  private String match(InboundStream receiver, ParkedStream announced) {
    if (!receiver.codec().equals(announced.codec())) {
      String text = "stream '" + receiver.name() + "' is sent as " + announced.codec()
          + " and received as " + receiver.codec();
      receiver.fail(
          new StreamRejectedException(StreamRejectedException.Reason.CODEC_MISMATCH, text));
      return reject(announced.id(), RejectFrame.CODEC_MISMATCH, text);
    }
    inbound.put(announced.id(), receiver);
    channel.engine().observer().streamOpened(channel.readings(), receiver);
    receiver.contextListener.accept(announced.context());
    receiver.opened(announced.id(), announced.firstSeq());
    return announced.ended() ? receiver.onEnd(announced.firstSeq(), announced.failure()) : null;
  }

  /**
   * Refuses what the peer announced. Returns what it did wrong, or null: it may go on announcing only
   * as long as it reads the refusals.
   */
  String reject(long id, int reason, String text) {
    int most = Math.max(MOST_WAITING_REFUSALS, channel.limits().maxExchanges());
    if (channel.control().waiting() > most) {
      return "it announces streams and does not read their refusals";
    }
    RejectFrame reject = new RejectFrame(reason, text);
    ControlFrame frame = new ControlFrame(FrameType.REJECT, FrameFlags.REPLY, id, 0);
    channel.control().send(frame.body(reject.encodedBytes(), reject::encode));
    return null;
  }

  /** Ids of the peer only grow. Returns what is wrong, or null. */
  String takePeerId(long id) {
    if (id - lastPeerId <= 0) {
      return "stream id " + id + " was used before";
    }
    lastPeerId = id;
    return null;
  }

  String onOpen(ReceivedFrame frame, OpenFrame open) {
    long id = frame.streamId();
    String wrong = takePeerId(id);
    if (wrong != null) {
      return wrong;
    }
    if (open.kind() == OpenFrame.ROUTE) {
      return exchanges.onOpenRoute(id, open);
    }
    String name = open.name();
    InboundStream receiver = receivers.get(name);
    InboundState before = receiver == null ? InboundState.ENDED : receiver.state();
    int streams = before == InboundState.DRAINING ? inbound.size() - 1 : inbound.size();
    if (before == InboundState.FLOWING || parked.isOpen(name)) {
      return reject(id, RejectFrame.DUPLICATE_NAME, "stream '" + name + "' is open already");
    } else if (!parked.fits(channel.limits().maxStreams() - streams)) {
      String text = "more than " + channel.limits().maxStreams() + " streams at once";
      return reject(id, RejectFrame.TOO_MANY_STREAMS, text);
    } else if (channel.isClosing()) {
      String text = channel.engine().nodeName() + " is closing";
      return reject(id, RejectFrame.CLOSING, text);
    } else {
      Map<String, String> context;
      try {
        context = Metadatas.decode(frame).context();
      } catch (IllegalArgumentException e) {
        return "OPEN frame: " + e.getMessage();
      }
      ParkedStream announced =
          new ParkedStream(id, frame.streamSeq(), open.codec(), context, false, null);
      if (before == InboundState.AWAITING_PRODUCER) {
        return match(receiver, announced);
      }
      // Also while the one before drains, whose producer may have sent again at once.
      parked.park(name, announced);
    }
    return null;
  }

  String onReject(long id, RejectFrame reject) {
    var reasons = StreamRejectedException.Reason.values();
    // A later version may know more reasons; its text says which.
    int known = Math.min(Math.max(reject.reason(), 1), reasons.length);
    var reason = reasons[known - 1];
    String text = channel.description() + ": " + reject.text();
    StreamRejectedException error = new StreamRejectedException(reason, text);
    OutboundStream stream = outbound.get(id);
    if (stream != null) {
      stream.fail(error);
    } else {
      exchanges.onReject(id, error);
    }
    return unknownOwn(id);
  }

  String onData(ReceivedFrame frame) {
    InboundStream stream = recent;
    if (stream == null
        || stream.id() != frame.streamId()
        || stream.isReply() != frame.has(FrameFlags.REPLY)
        || stream.state() == InboundState.ENDED) {
      countReceived();
      stream = receiving(frame);
      recent = stream;
    }
    return stream != null ? stream.onData(frame) : unknown(frame);
  }

  /** A large message was announced; returns what the peer did wrong, or null. */
  String onLarge(ReceivedFrame frame, RendezvousStart start) {
    InboundStream stream = receiving(frame);
    if (stream != null) {
      return stream.onLarge(frame, start);
    }
    String wrong = unknown(frame);
    if (wrong == null) {
      channel.rendezvous().receives().refuse(start);
    }
    return wrong;
  }

  /** After every poll. */
  void countReceived() {
    if (recent != null) {
      recent.count();
    }
  }

  private InboundStream receiving(ReceivedFrame frame) {
    long id = frame.streamId();
    return frame.has(FrameFlags.REPLY) ? exchanges.reply(id) : inbound.get(id);
  }

  /** Whether the stream the frame belongs to has a subscriber here. */
  boolean isReceiving(ReceivedFrame frame) {
    return receiving(frame) != null;
  }

  private OutboundStream sending(ReceivedFrame frame) {
    long id = frame.streamId();
    return frame.has(FrameFlags.REPLY) ? outbound.get(id) : exchanges.served(id);
  }

  /** A stream that ended here may still be spoken of; one that never was may not. */
  private String unknown(ReceivedFrame frame) {
    long id = frame.streamId();
    if (frame.has(FrameFlags.REPLY)) {
      return unknownOwn(id);
    }
    return id - lastPeerId <= 0 ? null : "stream " + id + " was never opened";
  }

  private String unknownOwn(long id) {
    return id - lastOwnId <= 0 ? null : "stream " + id + " was never opened";
  }

  String onDemand(ReceivedFrame frame) {
    OutboundStream stream = sending(frame);
    if (stream == null) {
      boolean coming = isOfPeer(frame)
          && exchanges
              .large()
              .demand(frame.streamId(), frame.streamSeq(), frame.has(FrameFlags.UNBOUNDED));
      return coming ? null : unknown(frame);
    }
    stream.demand(frame.streamSeq(), frame.has(FrameFlags.UNBOUNDED));
    return null;
  }

  /** Whether the peer allocated the number, as it does for its requests. */
  private static boolean isOfPeer(ReceivedFrame frame) {
    return !frame.has(FrameFlags.REPLY);
  }

  String onCancel(ReceivedFrame frame) {
    OutboundStream stream = sending(frame);
    if (stream == null) {
      boolean coming = isOfPeer(frame) && exchanges.large().cancel(frame.streamId());
      return coming ? null : unknown(frame);
    }
    return stream.cancelledByPeer(frame.streamSeq());
  }

  private static RemoteStreamException remote(ErrorFrame failure) {
    String message = failure.message().isEmpty() ? null : failure.message();
    return new RemoteStreamException(failure.exceptionClass(), message);
  }

  /** COMPLETE, or ERROR with what failed there. */
  String onEnd(ReceivedFrame frame, ErrorFrame failure) {
    Throwable error = failure == null ? null : remote(failure);
    InboundStream stream = receiving(frame);
    if (stream != null) {
      return stream.onEnd(frame.streamSeq(), error);
    }
    boolean wasParked = !frame.has(FrameFlags.REPLY) && parked.end(frame.streamId(), error);
    return wasParked ? null : unknown(frame);
  }

  void forget(OutboundStream stream) {
    if (stream.isReply()) {
      exchanges.forget(stream);
    } else {
      outbound.remove(stream.id);
      channel.engine().observer().streamClosed(channel.readings(), stream);
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
      receivers.remove(stream.name(), stream);
      inbound.remove(stream.id());
      channel.engine().observer().streamClosed(channel.readings(), stream);
    }
  }

  /** Streams and exchanges that still have something to send or to acknowledge. */
  int sendingCount() {
    return outbound.size() + exchanges.serving() + exchanges.inFlight() + exchanges.waiting();
  }

  List<OutboundStream> outbound() {
    return outbound.values();
  }

  List<InboundStream> inbound() {
    return inbound.values();
  }

  int openCount() {
    return outbound.size() + inbound.size();
  }

  /** A close: producers stop pulling, receivers end; what was taken on is still delivered. */
  void drain(String reason) {
    for (OutboundStream stream : outbound.values()) {
      stream.drain(new PeerClosedException(reason));
    }
    for (InboundStream stream : new ArrayList<>(receivers.values())) {
      stream.leave(new PeerClosedException(reason));
    }
  }

  void failAll(StreamFailure failure) {
    for (OutboundStream stream : outbound.values()) {
      stream.fail(failure.forSender(stream.name, stream.acknowledged()));
    }
    for (InboundStream stream : new ArrayList<>(receivers.values())) {
      stream.fail(failure.forReceiver(stream.name()));
    }
    parked.clear();
    exchanges.failAll(failure);
  }
}
