package io.railflux.engine;

import io.railflux.exceptions.StreamRejectedException;
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
import java.util.HashMap;
import java.util.Map;

/**
 * Request/reply and request/stream with one peer. A route is announced once, then each request names
 * it by number and is at the same time the opening of its reply stream, which the side that answers knows of
 * only where the reply is not there at once. Engine thread only.
 */
public final class Exchanges implements LargeMemory.Claimant {

  /** Name and codecs of a route as requested. */
  public record RouteKey(String name, String requestCodec, String replyCodec) {}

  /** A request on its way out: what to send and who hears the replies. */
  private record Pending<Q>(
      RouteKey route, Q value, Outgoing<Q> outgoing, InboundStream replies, boolean byRendezvous) {

    boolean isGivenUp() {
      return replies.state() == InboundState.ENDED;
    }
  }

  /**
   * What the peer's number of a route stands for.
   *
   * @param refused whether a request was, whose requester announces the route anew
   */
  private record ServedRoute(String name, Responder responder, boolean refused) {}

  private final VirtualChannel channel;
  private final int peerLimit;
  private final Map<RouteKey, Long> openedRoutes = new HashMap<>();
  private final LongMap<ServedRoute> servedRoutes = new LongMap<>();
  private final Map<String, Long> servedNames = new HashMap<>();
  private final LongMap<InboundStream> replies = new LongMap<>();
  private final LongMap<OutboundStream> served = new LongMap<>();

  // Of those served: the peer does not know their end yet, and keeps a place for each.
  private int beingAnswered;

  private final ArrayDeque<Pending<?>> pending = new ArrayDeque<>();
  // Those that need memory do not hold up those that need none.
  private final ArrayDeque<Pending<?>> pendingLarge = new ArrayDeque<>();

  // Requests that ended unsent since those of them that waited were cleared away: at least as many
  // as wait still.
  private int givenUp;

  private final LargeRequests large;

  Exchanges(VirtualChannel channel, int peerLimit) {
    this.channel = channel;
    this.peerLimit = peerLimit;
    this.large = new LargeRequests(channel, this);
  }

  LargeRequests large() {
    return large;
  }

  /** What waits is looked at in every cycle. */
  @Override
  public void roomAgain() {}

  @Override
  public boolean wouldAsk() {
    return !channel.recovery().isReplaying();
  }

  /** Sends a request now or when there is room; {@code replies} hears what comes of it. */
  public <Q> void request(RouteKey route, Q value, Outgoing<Q> outgoing, InboundStream stream) {
    if (stream.state() == InboundState.ENDED) {
      // Given up before it began.
      return;
    }
    // Whatever paths come while it waits: of those that need no memory none waits for some.
    boolean byRendezvous = isLarge(value, outgoing);
    ArrayDeque<Pending<?>> queue = byRendezvous ? pendingLarge : pending;
    if (!queue.isEmpty() || !send(route, value, outgoing, stream, byRendezvous)) {
      queue.add(new Pending<>(route, value, outgoing, stream, byRendezvous));
    }
  }

  private <Q> boolean isLarge(Q value, Outgoing<Q> outgoing) {
    try {
      return channel.sendPath().isLarge(bodyBytes(outgoing.maxBodyBytes(value)));
    } catch (Throwable e) {
      // Who sends it will see, too, and tell.
      return false;
    }
  }

  private static int bodyBytes(int valueBytes) {
    return (int) Math.min(Integer.MAX_VALUE, (long) valueBytes + RequestBody.ROUTE_ID_BYTES);
  }

  int flush() {
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
   * Behind one that waits for a place, others may time out and be asked again without end. Not while one of them is
   * sent: its codec may give up others, and the head has to stay where it is.
   */
  private void clearGivenUp() {
    givenUp = 0;
    pending.removeIf(Pending::isGivenUp);
    pendingLarge.removeIf(Pending::isGivenUp);
  }

  /** Whatever memory there is. A request must not overtake the announcement of its route. */
  private boolean mayNotSend() {
    return replies.size() >= peerLimit || channel.control().isBlocked();
  }

  /** Nothing waits for memory, or not for that alone: who waits behind it must not wait for good. */
  private void waitNoMore() {
    channel.engine().sourceMemory().forget(this);
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

  int waiting() {
    return pending.size() + pendingLarge.size();
  }

  int inFlight() {
    return replies.size();
  }

  int serving() {
    return served.size();
  }

  private <Q> boolean send(Pending<Q> request) {
    return send(
        request.route, request.value, request.outgoing, request.replies, request.byRendezvous);
  }

  private <Q> boolean send(
      RouteKey route, Q value, Outgoing<Q> outgoing, InboundStream stream, boolean byRendezvous) {
    if (mayNotSend()) {
      return false;
    }
    try {
      return encode(route, value, outgoing, stream, byRendezvous);
    } catch (Throwable e) {
      // Of the codec: nobody but its requester is concerned.
      stream.fail(e);
      return true;
    }
  }

  private <Q> boolean encode(
      RouteKey route, Q value, Outgoing<Q> outgoing, InboundStream stream, boolean byRendezvous) {
    int valueBytes = Encoding.requireSize(outgoing.maxBodyBytes(value));
    channel.sendPath().requireFits(valueBytes);
    long routeId = routeId(route);
    if (channel.control().isBlocked()) {
      return false;
    }
    var metadata = outgoing.metadata(value);
    long timeToLive = outgoing.timeToLiveNanos(value);
    int maxBytes = bodyBytes(valueBytes);
    int metadataBytes = metadata == null ? 0 : metadata.remaining();
    int flags = (stream.demandedSoFar() == Long.MAX_VALUE ? FrameFlags.UNBOUNDED : 0)
        | FrameFlags.ofMessage(metadataBytes, timeToLive > 0);
    if (!byRendezvous && maxBytes > channel.sendPath().eagerLimitBytes()) {
      // The value grew while it waited. Among those that need no memory it would hold them up.
      pendingLarge.add(new Pending<>(route, value, outgoing, stream, true));
      return true;
    }
    Slot slot = byRendezvous
        ? channel.rendezvous().sends().claimRequest(this, maxBytes)
        : channel.sendPath().claimFrame(flags, maxBytes, metadataBytes, stream.marker);
    if (slot == null) {
      return false;
    }
    slot.metadata = metadata;
    slot.timeToLiveNanos = timeToLive;
    // What the codec opens is announced behind this request, but not behind a large one.
    long before = byRendezvous ? 0 : channel.streams().newId();
    // The codec before may have left limits around its message.
    RequestBody.putRouteId(slot.buffer.clear(), slot.bodyOffset, routeId);
    slot.bodyBytes =
        RequestBody.ROUTE_ID_BYTES + body(outgoing, value, slot, valueBytes, byRendezvous);
    if (stream.state() == InboundState.ENDED) {
      // Its codec gave it up.
      dropClaim(byRendezvous);
      return true;
    }
    long id = byRendezvous ? channel.streams().newId() : before;
    stream.routeId = routeId;
    channel.counters().sent(1, slot.bodyBytes);
    long demand = stream.demandedSoFar();
    if (byRendezvous) {
      channel
          .rendezvous()
          .sends()
          .commitRequest(flags & FrameFlags.UNBOUNDED, id, demand, stream.marker);
    } else {
      channel.sendPath().commit(null, FrameType.REQUEST, 0, id, demand);
    }
    replies.put(id, stream);
    stream.openedByRequest(id);
    return true;
  }

  /** Writes into the claim, which is given back if that fails. */
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

  /** Requests are one claimant: what is claimed may be for another, large one, whose codec sends this one. */
  private void dropClaim(boolean byRendezvous) {
    if (byRendezvous) {
      channel.rendezvous().sends().drop(this);
    }
  }

  private long routeId(RouteKey route) {
    Long opened = openedRoutes.get(route);
    return opened != null ? opened : openRoute(route);
  }

  private long openRoute(RouteKey route) {
    long id = channel.streams().newId();
    OpenFrame open =
        new OpenFrame(OpenFrame.ROUTE, route.name, route.requestCodec, route.replyCodec);
    channel
        .control()
        .send(new ControlFrame(FrameType.OPEN, 0, id, 0).body(open.encodedBytes(), open::encode));
    openedRoutes.put(route, id);
    return id;
  }

  /** The peer announced a route; what is wrong with it is answered by a REJECT. */
  String onOpenRoute(long id, OpenFrame open) {
    Responder responder = channel.engine().responder(open.name());
    if (responder == null) {
      String text =
          "no responder for '" + open.name() + "' at " + channel.engine().nodeName();
      return channel.streams().reject(id, RejectFrame.NO_SUCH_ROUTE, text);
    }
    if (!responder.requestCodec().equals(open.codec())
        || !responder.replyCodec().equals(open.replyCodec())) {
      String text = "route '" + open.name() + "' speaks " + responder.requestCodec() + " -> "
          + responder.replyCodec() + ", not " + open.codec() + " -> " + open.replyCodec();
      return channel.streams().reject(id, RejectFrame.CODEC_MISMATCH, text);
    }
    return serve(id, new ServedRoute(open.name(), responder, false));
  }

  /** A name has one route: a peer that announces without end piles up nothing. */
  private String serve(long id, ServedRoute route) {
    Long earlier = servedNames.put(route.name, id);
    servedRoutes.put(id, route);
    ServedRoute before = earlier == null ? null : servedRoutes.remove(earlier);
    boolean again = before != null && before.responder == route.responder && !before.refused;
    return again ? "route '" + route.name + "' announced again" : null;
  }

  /** Who answers it now, which may be another one than when it was announced; null: nobody. */
  private Responder responder(long routeId) {
    ServedRoute route = servedRoutes.get(routeId);
    if (route == null) {
      return null;
    }
    Responder now = channel.engine().responder(route.name);
    if (now == route.responder) {
      return now;
    }
    boolean fits = now != null
        && now.requestCodec().equals(route.responder.requestCodec())
        && now.replyCodec().equals(route.responder.replyCodec());
    Responder bound = fits ? now : route.responder;
    servedRoutes.put(routeId, new ServedRoute(route.name, bound, route.refused || !fits));
    return fits ? now : null;
  }

  /** Not while this side waits for replies itself: who answers may have to ask back first. */
  boolean refusesRequests() {
    return channel.isClosing() && inFlight() + waiting() == 0;
  }

  String refuseAsClosing(long id) {
    String text = channel.engine().nodeName() + " is closing";
    return channel.streams().reject(id, RejectFrame.CLOSING, text);
  }

  /** Returns what the peer did wrong, or null. */
  String onRequest(ReceivedFrame frame) {
    String wrong = channel.streams().takePeerId(frame.streamId());
    if (wrong != null) {
      return wrong;
    }
    return refusesRequests()
        ? refuseAsClosing(frame.streamId())
        : answer(frame, frame.streamSeq(), frame.has(FrameFlags.UNBOUNDED));
  }

  /** As {@link #onRequest}, for a number that is taken already and what is asked of its replies now. */
  String answer(ReceivedFrame frame, long demand, boolean unbounded) {
    var body = frame.body();
    if (body.remaining() < RequestBody.ROUTE_ID_BYTES) {
      return "a request without the number of its route";
    }
    long routeId = RequestBody.routeId(body, body.position());
    Responder responder = responder(routeId);
    if (responder == null) {
      String text = "nobody at " + channel.engine().nodeName() + " answers its route any more";
      return channel.streams().reject(frame.streamId(), RejectFrame.NO_SUCH_ROUTE, text);
    }
    // Twice what was agreed on, as it ends the session. The window bounds those answered already.
    long most = 2L * channel.limits().maxExchanges();
    if (beingAnswered >= most) {
      return "more than " + most + " requests at once";
    }
    channel.counters().received(1, frame.bodyBytes());
    responder.onRequest(
        frame,
        new ServedExchange(channel, frame.streamId(), responder.single(), demand, unbounded));
    return null;
  }

  /**
   * Sends the only reply to a request. It needs no stream: what becomes of it is the requester's business.
   *
   * @return false, and nothing is sent, where that has to wait, or takes memory or more than its body
   * @throws RuntimeException or whatever else the codec throws; nothing is sent then
   */
  <R> boolean replyAtOnce(long id, R value, Outgoing<R> outgoing) {
    SendPath sendPath = channel.sendPath();
    int maxBytes = Encoding.requireSize(outgoing.maxBodyBytes(value));
    boolean mayLeave =
        channel.givesTurnsAtOnce() && !sendPath.isLarge(maxBytes) && outgoing.isBare(value);
    Slot slot =
        mayLeave ? sendPath.claimFrame(FrameFlags.REPLY, maxBytes, 0, Marker.REQUEST) : null;
    if (slot == null) {
      return false;
    }
    slot.bodyBytes = Encoding.body(outgoing, value, slot, slot.bodyOffset, maxBytes);
    channel.counters().sent(1, slot.bodyBytes);
    sendPath.commit(null, FrameType.DATA, FrameFlags.LAST, id, 0);
    return true;
  }

  /** Of a request, or of a route and with it of all requests that name it. */
  void onReject(long id, StreamRejectedException error) {
    InboundStream refused = replies.get(id);
    if (refused == null) {
      onRejectRoute(id, error);
      return;
    }
    if (error.reason() == StreamRejectedException.Reason.NO_SUCH_ROUTE) {
      // The next request announces it anew, and meets who answers by then.
      forgetRoute(refused.routeId);
    }
    refused.fail(error);
  }

  /** Returns whether it was announced by that number. */
  private boolean forgetRoute(long routeId) {
    return openedRoutes.values().removeIf(id -> id == routeId);
  }

  private void onRejectRoute(long routeId, StreamRejectedException error) {
    if (!forgetRoute(routeId)) {
      // Or a request's that has ended meanwhile.
      return;
    }
    for (InboundStream stream : replies.values()) {
      if (stream.routeId == routeId) {
        // Earlier ones may be being answered.
        channel.control().send(new ControlFrame(FrameType.CANCEL, 0, stream.id(), 0));
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

  /** The end of one reply stream is on its way to the peer. */
  void answered() {
    beingAnswered--;
  }

  void forget(InboundStream stream) {
    if (stream.id() == InboundStream.UNSENT) {
      givenUp++;
    } else {
      replies.remove(stream.id());
    }
  }

  void forget(OutboundStream stream) {
    served.remove(stream.id);
    if (!stream.isEndTold()) {
      beingAnswered--;
    }
  }

  void failAll(StreamFailure failure) {
    for (InboundStream stream : replies.values()) {
      stream.fail(failure.forReceiver(stream.name()));
    }
    pending.addAll(pendingLarge);
    pendingLarge.clear();
    waitNoMore();
    for (Pending<?> request = pending.poll(); request != null; request = pending.poll()) {
      request.replies.fail(failure.forReceiver(request.replies.name()));
    }
    for (OutboundStream stream : served.values()) {
      stream.fail(failure.forSender(stream.name, stream.acknowledged()));
    }
  }
}
