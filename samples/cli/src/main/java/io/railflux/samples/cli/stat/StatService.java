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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Two peers may have one name. */
  private record Key(Peer peer, int path) {}

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
    Map<Key, Long> before = new HashMap<>();
    return Flux.interval(Duration.ZERO, pause)
        .onBackpressureDrop()
        .map(tick -> Json.line(snapshot(before)));
  }

  private Snapshot snapshot(Map<Key, Long> before) {
    List<RailLine> lines = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (Peer peer : peers) {
      List<RailStatus> rails = peer.rails();
      long[] moved = rails.stream()
          .mapToLong(rail -> moved(new Key(peer, rail.path()), rail.load().bytes(), before))
          .toArray();
      long all = Math.max(1, Arrays.stream(moved).sum());
      for (int i = 0; i < moved.length; i++) {
        lines.add(RailLine.of(peer.name(), rails.get(i), (double) moved[i] / all));
      }
      String missing = StripingGain.missing(rails);
      if (!missing.isEmpty()) {
        remarks.add("several rails to '" + peer.name() + "' bring nothing: " + missing);
      }
    }
    return new Snapshot(node.name(), lines, remarks);
  }

  private static long moved(Key key, long bytes, Map<Key, Long> before) {
    Long last = before.put(key, bytes);
    return last == null ? 0 : bytes - last;
  }
}
