package io.railflux.engine.stream;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.LongMap;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.RepeatedWarning;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.pipeline.CodecMismatch;
import io.railflux.pipeline.Encoding;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RejectFrame;
import io.railflux.wire.RequestBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

// More than 400 lines: requests and their answers share the table of routes and the limits.
/**
 * Request/reply and request/stream with one peer. A route is announced once, and each request names it by number. The
 * request also opens its reply stream. The answering side creates that stream only if the reply is not available
 * immediately. Engine thread only.
 */
public final class Exchanges implements LargeMemory.Claimant {

  /** Name and codecs of a requested route. */
  public record RouteKey(String name, String requestCodec, String replyCodec) {}

  /** An outgoing request: its value and the receiver of its replies. */
  private record Pending<Q>(
      Q value, Outgoing<Q> outgoing, InboundStream replies, boolean byRendezvous) {

    boolean isGivenUp() {
      return replies.state() == InboundStream.State.ENDED;
    }
  }

  /**
   * The route behind the peer's route number.
   *
   * @param refused whether a request was refused, whereupon its requester announces the route anew
   */
  private record ServedRoute(
      SessionContext session, String name, Responder responder, boolean refused)
      implements Occupancy.Occupant {

    @Override
    public String describe() {
      return "the handler or a codec of route '" + name + "', requested by "
          + session.description();
    }
  }

  private final Streams streams;
  private final SessionContext session;
  private final EngineContext engine;
  private final ControlQueue control;
  private final SendPath sendPath;
  private final RendezvousSends sends;
  private final ChannelCounters counters;
  private final Occupancy occupancy;
  private final Responder.Routes responders;
  private final int peerLimit;
  private final Map<RouteKey, RequestedRoute> requestedRoutes = new HashMap<>();
  private final LongMap<ServedRoute> servedRoutes = new LongMap<>();
  private final Map<String, Long> servedNames = new HashMap<>();
  private final Map<String, RepeatedWarning> failures = new HashMap<>();
  private final LongMap<InboundStream> replies = new LongMap<>();
  private final LongMap<OutboundStream> served = new LongMap<>();

  // Number of requests being answered. The peer does not know their end yet and keeps a place for
  // each.
  private int beingAnswered;

  private final ArrayDeque<Pending<?>> pending = new ArrayDeque<>();
  // Requests that need memory do not delay requests that need none.
  private final ArrayDeque<Pending<?>> pendingLarge = new ArrayDeque<>();

  // Requests that ended unsent since the last cleanup of the queues: at least the number of those
  // still queued.
  private int givenUp;

  private final LargeRequests large;

  Exchanges(Streams streams, Responder.Routes responders, int peerLimit) {
    this.streams = streams;
    this.session = streams.session;
    this.engine = streams.engine;
    this.control = streams.control;
    this.sendPath = streams.sendPath;
    this.sends = streams.rendezvous.sends();
    this.counters = session.counters();
    this.occupancy = engine.occupancy();
    this.responders = responders;
    this.peerLimit = peerLimit;
    this.large = new LargeRequests(streams, this);
  }

  LargeRequests large() {
    return large;
  }

  /** Does nothing: every cycle examines the waiting requests. */
  @Override
  public void onMemoryAvailable() {}

  @Override
  public boolean wouldRetry() {
    return !session.isReplaying();
  }

  /** Sends a request now or when there is room. {@code stream} receives the outcome. */
  public <Q> void request(RouteKey route, Q value, Outgoing<Q> codec, InboundStream stream) {
    if (stream.state() == InboundStream.State.ENDED) {
      // Given up before it began.
      return;
    }
    Outgoing<Q> outgoing = codec.forSubscription(sendPath.maxMessageBytes());
    streams.watch().requested(stream);
    stream.route = requestedRoute(route);
    stream.route.requested(engine.nowNanos());
    // Fixed for the whole wait, whatever paths join: requests that need no memory must never wait
    // for memory.
    boolean byRendezvous = isLarge(value, outgoing);
    ArrayDeque<Pending<?>> queue = byRendezvous ? pendingLarge : pending;
    if (!queue.isEmpty() || !send(value, outgoing, stream, byRendezvous)) {
      queue.add(new Pending<>(value, outgoing, stream, byRendezvous));
    }
  }

  private <Q> boolean isLarge(Q value, Outgoing<Q> outgoing) {
    try {
      return sendPath.isLarge(bodyBytes(outgoing.maxBodyBytes(value)));
    } catch (Throwable e) {
      // Sending the request encounters the same failure and reports it.
      return false;
    }
  }

  private static int bodyBytes(int valueBytes) {
    return (int) Math.min(Integer.MAX_VALUE, (long) valueBytes + RequestBody.ROUTE_ID_BYTES);
  }

  public int flush() {
    boolean waited = !pendingLarge.isEmpty();
    if (givenUp * 2 > waiting()) {
      clearGivenUp();
    }
    int sent = flush(pending) + flush(pendingLarge);
    if (waited && (pendingLarge.isEmpty() || mayNotSend())) {
      waitNoMore();
    }
    return sent;
  }

  /**
   * Removes requests that were given up. Otherwise requests behind a waiting request could time out and be repeated
   * without end. Must not run while a request is sent: its codec may give up other requests, and the head of the queue
   * must stay in place.
   */
  private void clearGivenUp() {
    givenUp = 0;
    pending.removeIf(Pending::isGivenUp);
    pendingLarge.removeIf(Pending::isGivenUp);
  }

  /**
   * Returns whether no request may be sent now, regardless of memory. A request must not overtake the announcement of
   * its route.
   */
  private boolean mayNotSend() {
    return replies.size() >= peerLimit || control.isBlocked();
  }

  /**
   * Leaves the queue for memory: claimants behind must not wait forever for a request that does not wait for memory
   * alone.
   */
  private void waitNoMore() {
    sends.leaveQueue(this);
  }

  private int flush(ArrayDeque<Pending<?>> queue) {
    int sent = 0;
    while (!queue.isEmpty()) {
      Pending<?> first = queue.peek();
      if (!first.isGivenUp() && !send(first)) {
        break;
      }
      queue.poll();
      sent++;
    }
    return sent;
  }

  /** Returns the requests without a reply, apart from those that no reply was requested for. */
  List<InboundStream> unanswered() {
    List<InboundStream> unanswered = new ArrayList<>();
    for (InboundStream request : replies.values()) {
      if (request.awaitsReply()) {
        unanswered.add(request);
      }
    }
    pending.forEach(request -> addUnlessGivenUp(request, unanswered));
    pendingLarge.forEach(request -> addUnlessGivenUp(request, unanswered));
    return unanswered;
  }

  private static void addUnlessGivenUp(Pending<?> request, List<InboundStream> to) {
    if (!request.isGivenUp()) {
      to.add(request.replies);
    }
  }

  public int waiting() {
    return pending.size() + pendingLarge.size();
  }

  public int inFlight() {
    return replies.size();
  }

  public int serving() {
    return served.size();
  }

  private <Q> boolean send(Pending<Q> request) {
    return send(request.value, request.outgoing, request.replies, request.byRendezvous);
  }

  private <Q> boolean send(
      Q value, Outgoing<Q> outgoing, InboundStream stream, boolean byRendezvous) {
    if (mayNotSend()) {
      return false;
    }
    occupancy.enterWithin(stream);
    try {
      return encode(value, outgoing, stream, byRendezvous);
    } catch (Throwable e) {
      // A failure of the codec concerns its requester only.
      stream.failLater(e);
      return true;
    }
  }

  private <Q> boolean encode(
      Q value, Outgoing<Q> outgoing, InboundStream stream, boolean byRendezvous) {
    int valueBytes = Encoding.requireSize(outgoing, outgoing.maxBodyBytes(value));
    sendPath.requireFits(stream.name(), valueBytes);
    long routeId = routeId(stream.route);
    if (control.isBlocked()) {
      return false;
    }
    var metadata = outgoing.metadata(value);
    long timeToLive = outgoing.timeToLiveNanos(value);
    int maxBytes = bodyBytes(valueBytes);
    int metadataBytes = metadata == null ? 0 : metadata.remaining();
    int flags = (stream.demandedSoFar() == Long.MAX_VALUE ? FrameFlags.UNBOUNDED : 0)
        | FrameFlags.ofMessage(metadataBytes, timeToLive > 0);
    if (!byRendezvous && maxBytes > sendPath.eagerLimitBytes()) {
      // The value grew while it waited. It would delay the requests that need no memory.
      pendingLarge.add(new Pending<>(value, outgoing, stream, true));
      return true;
    }
    Slot slot = byRendezvous
        ? sends.claimRequest(this, maxBytes)
        : sendPath.claimFrame(flags, maxBytes, metadataBytes, stream.marker);
    if (slot == null) {
      return false;
    }
    slot.metadata = metadata;
    slot.timeToLiveNanos = timeToLive;
    // Streams that the codec opens are announced behind this request, but not behind a large
    // request.
    long before = byRendezvous ? 0 : streams.newId();
    // An earlier codec may have left its limits in the buffer.
    RequestBody.putRouteId(slot.buffer.clear(), slot.bodyOffset, routeId);
    slot.bodyBytes =
        RequestBody.ROUTE_ID_BYTES + body(outgoing, value, slot, valueBytes, byRendezvous);
    if (stream.state() == InboundStream.State.ENDED) {
      // The codec gave up its request.
      dropClaim(byRendezvous);
      return true;
    }
    long id = byRendezvous ? streams.newId() : before;
    stream.routeId = routeId;
    counters.sent(1, slot.bodyBytes);
    long demand = stream.demandedSoFar();
    if (byRendezvous) {
      sends.commitRequest(flags & FrameFlags.UNBOUNDED, id, demand, stream.marker);
    } else {
      sendPath.commit(null, FrameType.REQUEST, 0, id, demand);
    }
    replies.put(id, stream);
    stream.openedByRequest(id);
    return true;
  }

  /** Writes into the claim, and drops the claim on failure. */
  private <Q> int body(
      Outgoing<Q> outgoing, Q value, Slot slot, int valueBytes, boolean byRendezvous) {
    try {
      int start = slot.bodyOffset + RequestBody.ROUTE_ID_BYTES;
      return Encoding.body(outgoing, value, slot, start, valueBytes);
    } catch (Throwable e) {
      dropClaim(byRendezvous);
      throw e;
    }
  }

  /**
   * Drops the claim of the request. All requests are one claimant: the claim may belong to another, large request,
   * whose codec sends this request.
   */
  private void dropClaim(boolean byRendezvous) {
    if (byRendezvous) {
      sends.drop(this);
    }
  }

  private RequestedRoute requestedRoute(RouteKey key) {
    RequestedRoute known = requestedRoutes.get(key);
    if (known != null) {
      return known;
    }
    RequestedRoute route = new RequestedRoute(key);
    requestedRoutes.put(key, route);
    streams.directory().requested(route);
    return route;
  }

  /** Announces the route unless it is announced. */
  private long routeId(RequestedRoute route) {
    if (!route.isAnnounced()) {
      OpenFrame open = route.announcement();
      route.announced(streams.newId());
      control.send(new ControlFrame(FrameType.OPEN, 0, route.id(), 0)
          .body(open.encodedBytes(), open::encode));
    }
    return route.id();
  }

  /** Handles the announcement of a route. An invalid route is answered by a REJECT. */
  void onOpenRoute(long id, OpenFrame open) throws ProtocolViolation {
    Responder responder = responders.responder(open.name());
    if (responder == null) {
      String text = "no responder for '" + open.name() + "' at " + engine.nodeName()
          + StreamDirectory.listing("; it serves ", responders.names());
      streams.reject(id, RejectFrame.NO_SUCH_ROUTE, text);
      return;
    }
    if (!responder.requestCodec().equals(open.codec())
        || !responder.replyCodec().equals(open.replyCodec())) {
      String text =
          "route '" + open.name() + "' uses the codecs " + responder.requestCodec() + " -> "
              + responder.replyCodec() + ", not " + open.codec() + " -> " + open.replyCodec()
              + CodecMismatch.explain(open.codec(), responder.requestCodec())
              + CodecMismatch.explain(responder.replyCodec(), open.replyCodec());
      streams.reject(id, RejectFrame.CODEC_MISMATCH, text);
      return;
    }
    serve(id, new ServedRoute(session, open.name(), responder, false));
  }

  /** Registers the route under its name. A name has one route, so repeated announcements accumulate nothing. */
  private void serve(long id, ServedRoute route) throws ProtocolViolation {
    Long earlier = servedNames.put(route.name, id);
    servedRoutes.put(id, route);
    ServedRoute before = earlier == null ? null : servedRoutes.remove(earlier);
    if (before != null && before.responder == route.responder && !before.refused) {
      throw new ProtocolViolation("route '" + route.name + "' announced again");
    }
  }

  /**
   * Returns the current responder of the route, or null. It may differ from the responder at the time of the
   * announcement. Its code runs next.
   */
  private Responder responder(long routeId) {
    ServedRoute route = servedRoutes.get(routeId);
    if (route == null) {
      return null;
    }
    occupancy.enter(route);
    Responder now = responders.responder(route.name);
    if (now == route.responder) {
      return now;
    }
    boolean fits = now != null
        && now.requestCodec().equals(route.responder.requestCodec())
        && now.replyCodec().equals(route.responder.replyCodec());
    Responder bound = fits ? now : route.responder;
    servedRoutes.put(routeId, new ServedRoute(session, route.name, bound, route.refused || !fits));
    return fits ? now : null;
  }

  /**
   * Returns whether requests are refused. A closing side answers while it awaits replies itself: the answering peer
   * may have to send a request of its own first.
   */
  boolean refusesRequests() {
    return session.isClosing() && inFlight() + waiting() == 0;
  }

  void refuseAsClosing(long id) throws ProtocolViolation {
    streams.reject(id, RejectFrame.CLOSING, engine.nodeName() + " is closing");
  }

  public void onRequest(ReceivedFrame frame) throws ProtocolViolation {
    streams.takePeerId(frame.streamId());
    if (refusesRequests()) {
      refuseAsClosing(frame.streamId());
    } else {
      answer(frame, frame.streamSeq(), frame.has(FrameFlags.UNBOUNDED));
    }
  }

  /**
   * Answers as {@link #onRequest} does, for a number that is registered already, with the current demand for its
   * replies.
   */
  void answer(ReceivedFrame frame, long demand, boolean unbounded) throws ProtocolViolation {
    var body = frame.body();
    if (body.remaining() < RequestBody.ROUTE_ID_BYTES) {
      throw new ProtocolViolation("a request without the number of its route");
    }
    long routeId = RequestBody.routeId(body, body.position());
    Responder responder = responder(routeId);
    if (responder == null) {
      String text = engine.nodeName() + " has no handler for its route any more";
      streams.reject(frame.streamId(), RejectFrame.NO_SUCH_ROUTE, text);
      return;
    }
    // Twice the agreed limit, as a violation ends the session. The window bounds the requests that
    // were answered already.
    long most = 2L * streams.limits.maxExchanges();
    if (beingAnswered >= most) {
      throw new ProtocolViolation("more than " + most + " requests at once");
    }
    counters.received(1, frame.bodyBytes(), frame.bodyBytes());
    responder.onRequest(
        frame,
        new Responder.Exchange(streams, frame.streamId(), responder.single(), demand, unbounded));
  }

  /**
   * Sends the only reply to a request without a stream: the outcome is the concern of the requester.
   *
   * @return false, with nothing sent, if the reply must wait, needs memory, or consists of more than a body
   * @throws RuntimeException or any other throwable of the codec; nothing is sent then
   */
  <R> boolean replyAtOnce(long id, R value, Outgoing<R> codec) {
    Outgoing<R> outgoing = codec.forSubscription(sendPath.maxMessageBytes());
    int maxBytes = Encoding.requireSize(outgoing, outgoing.maxBodyBytes(value));
    boolean mayLeave =
        streams.givesTurnsAtOnce() && !sendPath.isLarge(maxBytes) && outgoing.isBare(value);
    Slot slot =
        mayLeave ? sendPath.claimFrame(FrameFlags.REPLY, maxBytes, 0, Marker.REQUEST) : null;
    if (slot == null) {
      return false;
    }
    slot.bodyBytes = Encoding.body(outgoing, value, slot, slot.bodyOffset, maxBytes);
    counters.sent(1, slot.bodyBytes);
    sendPath.commit(null, FrameType.DATA, FrameFlags.LAST, id, 0);
    return true;
  }

  /** Handles the refusal of a request, or of a route and thereby of all requests that name it. */
  void onReject(long id, StreamRejectedException error) {
    InboundStream refused = replies.get(id);
    if (refused == null) {
      onRejectRoute(id, error);
      return;
    }
    if (error.reason() == StreamRejectedException.Reason.NO_SUCH_ROUTE) {
      // The next request announces the route anew and reaches the responder of that time.
      forgetRoute(refused.routeId);
    }
    refused.fail(error);
  }

  /** Returns whether a route was announced by the number. */
  private boolean forgetRoute(long routeId) {
    for (RequestedRoute route : requestedRoutes.values()) {
      if (route.isAnnounced() && route.id() == routeId) {
        route.refused();
        return true;
      }
    }
    return false;
  }

  private void onRejectRoute(long routeId, StreamRejectedException error) {
    if (!forgetRoute(routeId)) {
      // Or the refusal of a request that has ended meanwhile.
      return;
    }
    for (InboundStream stream : replies.values()) {
      if (stream.routeId == routeId) {
        // Earlier requests may be in progress.
        control.send(new ControlFrame(FrameType.CANCEL, 0, stream.id(), 0));
        stream.fail(error);
      }
    }
  }

  InboundStream reply(long id) {
    return replies.get(id);
  }

  OutboundStream served(long id) {
    return served.get(id);
  }

  void served(OutboundStream stream) {
    served.put(stream.id, stream);
    beingAnswered++;
  }

  /** Notes that the end of one reply stream is on its way to the peer, or that the stream ended before. */
  void answered() {
    beingAnswered--;
  }

  void forget(InboundStream stream) {
    if (stream.route != null) {
      stream.route.ended();
    }
    if (stream.id() == InboundStream.UNSENT) {
      givenUp++;
    } else {
      replies.remove(stream.id());
    }
  }

  void forget(OutboundStream stream) {
    served.remove(stream.id);
  }

  /** Returns the warnings about failed replies of a route. */
  RepeatedWarning failuresOf(String route) {
    return failures.computeIfAbsent(route, name -> new RepeatedWarning());
  }

  void failAll(StreamFailure failure) {
    for (InboundStream stream : replies.values()) {
      stream.fail(failure.forRequester(stream.name(), false));
    }
    pending.addAll(pendingLarge);
    pendingLarge.clear();
    waitNoMore();
    for (Pending<?> request = pending.poll(); request != null; request = pending.poll()) {
      request.replies.fail(failure.forRequester(request.replies.name(), true));
    }
    for (OutboundStream stream : served.values()) {
      stream.fail(failure.forSender(stream.name, stream.acknowledged()));
    }
    large.end();
  }
}
