package io.railflux.samples.cli.stat;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailStatus;
import io.railflux.metrics.StripingGain;
import io.railflux.samples.cli.shell.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.publisher.Flux;

/** Reports the rails of this process to requesting peers, at the interval that they request. */
public final class StatService {

  /** Requests a {@link Snapshot} as JSON at an interval in milliseconds. */
  public static final Route<Integer, String> ROUTE =
      new Route<>("railflux.stat", Codecs.int32(), Codecs.utf8());

  /** Prefix of the names of nodes that only request snapshots. Snapshots omit these nodes. */
  static final String ASKER = "railflux-stat";

  private static final int OFTEN_MILLIS = 100;
  private static final int SELDOM_MILLIS = 60_000;

  private final Node node;
  private final List<Peer> peers = new CopyOnWriteArrayList<>();

  private StatService(Node node) {
    this.node = node;
  }

  /** Serves snapshots. They include every peer that connects, and peers that {@link #add} adds. */
  public static StatService serve(Node node) {
    StatService service = new StatService(node);
    node.peers().subscribe(service::add);
    node.respondStream(ROUTE, service::snapshots);
    return service;
  }

  /** Returns whether a peer is a {@code railflux stat}. */
  public static boolean isAsker(Peer peer) {
    return peer.name().startsWith(ASKER);
  }

  /** Adds a peer to which this process connected. */
  public void add(Peer peer) {
    if (!isAsker(peer)) {
      peers.add(peer);
      peer.onClose().subscribe(nothing -> {}, error -> {}, () -> peers.remove(peer));
    }
  }

  private Flux<String> snapshots(int everyMillis) {
    Duration pause =
        Duration.ofMillis(Math.max(OFTEN_MILLIS, Math.min(SELDOM_MILLIS, everyMillis)));
    return Flux.interval(Duration.ZERO, pause)
        .onBackpressureDrop()
        .map(tick -> Json.line(snapshot()));
  }

  private Snapshot snapshot() {
    List<RailLine> lines = new ArrayList<>();
    List<ChannelLine> channels = new ArrayList<>();
    List<StreamLine> streams = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (Peer peer : peers) {
      List<RailStatus> rails = peer.rails();
      rails.forEach(rail -> lines.add(RailLine.of(peer.name(), rail)));
      channels.add(ChannelLine.of(peer.name(), peer.channel()));
      peer.streams().forEach(stream -> streams.add(StreamLine.of(peer.name(), stream)));
      String missing = StripingGain.missing(rails);
      if (!missing.isEmpty()) {
        remarks.add("several rails to '" + peer.name() + "' bring no gain: " + missing);
      }
    }
    return new Snapshot(node.name(), lines, channels, streams, remarks);
  }
}
