package io.railflux.engine.stream;

import io.railflux.metrics.StreamStatus;
import io.railflux.metrics.StreamStatus.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The streams and requested routes of one peer as any thread may read them. Written by the engine thread; the values of
 * a stream may lag behind. A stream that only one side knows is usually about to begin. If both sides spell its name
 * differently, it never begins: explanations therefore list the names of the other side.
 */
public final class StreamDirectory {

  /** More names would obscure the rest of an explanation. */
  private static final int MAX_NAMES = 20;

  /** Names of the peer that are kept, since a peer may send any number. */
  private static final int MAX_AWAITED = 256;

  private static final String NO_RAIL = "a rail: none is connected";

  private final ParkedStreams parked;
  private final Map<Long, OutboundStream> sent = new ConcurrentHashMap<>();
  private final Map<String, InboundStream> received = new ConcurrentHashMap<>();
  private final Collection<RequestedRoute> routes = new ConcurrentLinkedQueue<>();
  private final Set<String> awaitedByPeer = ConcurrentHashMap.newKeySet();

  StreamDirectory(ParkedStreams parked) {
    this.parked = parked;
  }

  void sent(OutboundStream stream) {
    sent.put(stream.id, stream);
    awaitedByPeer.remove(stream.name);
  }

  void ended(OutboundStream stream) {
    sent.remove(stream.id);
  }

  void received(InboundStream stream) {
    received.put(stream.name(), stream);
  }

  void ended(InboundStream stream) {
    received.remove(stream.name(), stream);
  }

  /** Adds a route, for the whole session. */
  void requested(RequestedRoute route) {
    routes.add(route);
  }

  /** Handles the peer's notice that it has, or no longer has, a subscriber for a stream that is not sent. */
  public void peerAwaits(String name, boolean awaits) {
    if (!awaits) {
      awaitedByPeer.remove(name);
    } else if (awaitedByPeer.size() < MAX_AWAITED && !isSent(name)) {
      awaitedByPeer.add(name);
    }
  }

  private boolean isSent(String name) {
    return sent.values().stream().anyMatch(stream -> stream.name.equals(name) && isOpening(stream));
  }

  private static boolean isOpening(OutboundStream stream) {
    return stream.state() == OutboundStream.State.OPENING;
  }

  private static boolean isOpening(InboundStream stream) {
    return stream.state() == InboundStream.State.AWAITING_PRODUCER;
  }

  /** Returns the end of a sentence about a stream that the peer does not receive. */
  String awaitedByPeer() {
    return listing("; it awaits ", awaitedByPeer);
  }

  /** Returns the end of a sentence about a stream that the peer does not send. */
  String offeredByPeer() {
    return listing("; it offers ", parked.names());
  }

  private String awaitedHere() {
    return listing(
        "; this node awaits ",
        received.values().stream()
            .filter(StreamDirectory::isOpening)
            .map(InboundStream::name)
            .toList());
  }

  /**
   * Returns the state of all streams, those that are opening first, and of routes with open requests.
   *
   * @param nowNanos the time, by the clock of the engine
   * @param connected whether there is a rail to the peer
   */
  public List<StreamStatus> statuses(long nowNanos, boolean connected) {
    List<StreamStatus> all = new ArrayList<>();
    sent.values().stream()
        .sorted(Comparator.comparingLong(stream -> stream.id))
        .forEach(stream -> all.add(status(stream, nowNanos, connected)));
    received.values().stream()
        .sorted(Comparator.comparing(InboundStream::name))
        .forEach(stream -> all.add(status(stream, nowNanos, connected)));
    parked
        .sinceNanos()
        .forEach((name, since) -> all.add(new StreamStatus(
            name,
            Kind.OFFERED,
            StreamStatus.State.OPENING,
            0,
            0,
            idle(nowNanos, since),
            "a subscriber at this node" + awaitedHere())));
    routes.stream()
        .filter(route -> route.open() > 0)
        .forEach(route -> all.add(status(route, nowNanos, connected)));
    all.sort(Comparator.comparing(StreamStatus::state));
    return all;
  }

  private StreamStatus status(OutboundStream stream, long nowNanos, boolean connected) {
    OutboundStream.State state = stream.state();
    boolean opening = state == OutboundStream.State.OPENING;
    return new StreamStatus(
        stream.name,
        Kind.SENT,
        opening
            ? StreamStatus.State.OPENING
            : state == OutboundStream.State.FLOWING
                ? StreamStatus.State.FLOWING
                : StreamStatus.State.ENDING,
        stream.messages(),
        stream.openDemand(),
        idle(nowNanos, stream.movedNanos()),
        connected ? stream.waitsFor() + (opening ? awaitedByPeer() : "") : NO_RAIL);
  }

  private StreamStatus status(InboundStream stream, long nowNanos, boolean connected) {
    InboundStream.State state = stream.state();
    boolean opening = state == InboundStream.State.AWAITING_PRODUCER;
    return new StreamStatus(
        stream.name(),
        Kind.RECEIVED,
        opening
            ? StreamStatus.State.OPENING
            : state == InboundStream.State.FLOWING
                ? StreamStatus.State.FLOWING
                : StreamStatus.State.ENDING,
        stream.messages(),
        opening ? stream.demandedSoFar() : stream.openDemand(),
        idle(nowNanos, stream.movedNanos()),
        connected ? stream.waitsFor() + (opening ? offeredByPeer() : "") : NO_RAIL);
  }

  private static StreamStatus status(RequestedRoute route, long nowNanos, boolean connected) {
    return new StreamStatus(
        route.name(),
        Kind.REQUESTED,
        StreamStatus.State.FLOWING,
        route.replies(),
        route.open(),
        idle(nowNanos, route.movedNanos()),
        connected ? "replies of the peer's handler" : NO_RAIL);
  }

  private static Duration idle(long nowNanos, long sinceNanos) {
    return Duration.ofNanos(Math.max(0, nowNanos - sinceNanos));
  }

  /** Returns one indented line for each stream, at most {@value #MAX_NAMES}, each after a line break. */
  public String explain(long nowNanos, boolean connected) {
    List<StreamStatus> all = statuses(nowNanos, connected);
    String more = all.size() > MAX_NAMES
        ? "\n  and " + (all.size() - MAX_NAMES) + " further streams and routes"
        : "";
    return all.stream()
            .limit(MAX_NAMES)
            .map(status -> "\n  " + status)
            .collect(Collectors.joining())
        + more
        + listing("\n  awaited by the peer, and not sent: ", awaitedByPeer);
  }

  /** Returns the names, sorted and at most {@value #MAX_NAMES}, behind {@code before}; empty without names. */
  static String listing(String before, Collection<String> names) {
    List<String> all = names.stream().sorted().toList();
    if (all.isEmpty()) {
      return "";
    }
    String more = all.size() > MAX_NAMES ? " and " + (all.size() - MAX_NAMES) + " more" : "";
    return all.stream()
        .limit(MAX_NAMES)
        .map(name -> "'" + name + "'")
        .collect(Collectors.joining(", ", before, more));
  }
}
