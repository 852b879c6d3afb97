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

/** Tells peers that ask what the rails of this process do, as often as they ask for. */
public final class StatService {

  /** Asks for a {@link Snapshot} as JSON every so many milliseconds. */
  public static final Route<Integer, String> ROUTE =
      new Route<>("railflux.stat", Codecs.int32(), Codecs.utf8());

  /** Names of nodes that only ask begin like this, and are not told of. */
  static final String ASKER = "railflux-stat";

  private static final int OFTEN_MILLIS = 100;
  private static final int SELDOM_MILLIS = 60_000;

  private final Node node;
  private final List<Peer> peers = new CopyOnWriteArrayList<>();

  private StatService(Node node) {
    this.node = node;
  }

  /** Peers that connect are told of by themselves, others once they are {@link #add}ed. */
  public static StatService serve(Node node) {
    StatService service = new StatService(node);
    node.peers().subscribe(service::add);
    node.respondStream(ROUTE, service::snapshots);
    return service;
  }

  /** Whether that is a {@code railflux stat}, and nothing to work with. */
  public static boolean isAsker(Peer peer) {
    return peer.name().startsWith(ASKER);
  }

  /** A peer that this process connected to. */
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
    List<String> remarks = new ArrayList<>();
    for (Peer peer : peers) {
      List<RailStatus> rails = peer.rails();
      rails.forEach(rail -> lines.add(RailLine.of(peer.name(), rail)));
      String missing = StripingGain.missing(rails);
      if (!missing.isEmpty()) {
        remarks.add("several rails to '" + peer.name() + "' bring no gain: " + missing);
      }
    }
    return new Snapshot(node.name(), lines, remarks);
  }
}
