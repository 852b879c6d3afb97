package io.railflux.samples.bench.growth;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.shell.CommandFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many nodes in one process, each with its own engine thread, around one hub. */
final class Crowd {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int AT_ONCE = 8;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int DIGITS = 3;

  private final String fabric;
  private final List<String> hubs;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final List<Peer> toHub = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> trouble = new TreeMap<>();
  // One tally per node, because each node has its own thread.
  private final List<Tally> misplaced = new CopyOnWriteArrayList<>();
  private Traffic traffic = new Traffic(Traffic.SMALL_BYTES);
  private Mono<Void> sent = Mono.empty();

  /**
   * @param hubs all addresses of the hub
   */
  Crowd(String fabric, List<String> hubs) {
    this.fabric = fabric;
    this.hubs = hubs;
  }

  String fabric() {
    return fabric;
  }

  /** Returns the first {@code rails} addresses of the hub, joined. */
  String hubs(int rails) {
    return String.join(",", hubs.subList(0, rails));
  }

  /** Starts nodes, then connects them. */
  Order.Crossing connect(Order order) {
    Railflux config = Plan.node(fabric, "crowd");
    List<Node> started = Flux.range(0, order.count())
        .concatMap(i -> config.name(Order.crowd(order.round()) + i).start())
        .collectList()
        .block(PATIENCE);
    nodes.addAll(started);
    trouble.clear();
    String address = hubs(order.rails());
    int atOnce = order.task() == Order.Task.STORM ? order.count() : AT_ONCE;
    Histogram nanos = new ConcurrentHistogram(DIGITS);
    long begun = System.nanoTime();
    List<Peer> connected = Flux.fromIterable(started)
        .flatMap(node -> connect(node, address, nanos), atOnce)
        .collectList()
        .block(PATIENCE);
    double allMillis = (System.nanoTime() - begun) / NANOS_PER_MILLI;
    toHub.addAll(connected);
    return new Order.Crossing(
        order.count() - connected.size(),
        allMillis,
        nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
        nanos.getMaxValue() / NANOS_PER_MILLI);
  }

  private Mono<Peer> connect(Node node, String address, Histogram nanos) {
    return Mono.defer(() -> {
      long begun = System.nanoTime();
      return node.connect(address)
          .doOnNext(peer -> nanos.recordValue(System.nanoTime() - begun))
          .onErrorResume(failure -> {
            note(CommandFailure.line(failure));
            return Mono.empty();
          });
    });
  }

  private void note(String line) {
    synchronized (trouble) {
      // Omits the name, so that equal failures of different nodes are counted together.
      String kind = line.replaceAll("crowd-\\d+-\\d+", "a node");
      for (String hub : hubs) {
        kind = kind.replace(hub.substring(hub.indexOf(':') + 1), "HUB");
      }
      trouble.merge(kind, 1, Integer::sum);
    }
  }

  /** Returns the distinct failures of the last connection attempt with their counts, or an empty string. */
  String trouble() {
    synchronized (trouble) {
      List<String> lines = new ArrayList<>();
      trouble.forEach((line, times) -> lines.add(times + " times: " + line));
      return String.join("; ", lines);
    }
  }

  void send(Order order) {
    Traffic sending = new Traffic(order.sizeBytes());
    traffic = sending;
    sent = Flux.fromIterable(List.copyOf(toHub))
        .flatMap(
            hub -> hub.send(
                Order.stream(order.round(), 0), sending.codec(), sending.messages(new Tally())),
            Integer.MAX_VALUE)
        .then()
        .cache();
    sent.subscribe(null, failure -> note(CommandFailure.line(failure)));
  }

  void stop() {
    traffic.stop();
    sent.block(PATIENCE);
  }

  void receive(Order order) {
    misplaced.clear();
    for (Peer hub : toHub) {
      Tally own = new Tally();
      misplaced.add(own);
      hub.receive(Order.stream(order.round(), 1), new PayloadCodec(order.sizeBytes()))
          .subscribe(new Drain(new Tally(), own, Long.MAX_VALUE));
    }
  }

  /** Returns the misplaced messages of the latest streams to its nodes. */
  long misplaced() {
    return misplaced.stream().mapToLong(Tally::count).sum();
  }

  void disconnect() {
    Flux.fromIterable(nodes).flatMap(Node::close, Integer.MAX_VALUE).blockLast(PATIENCE);
    nodes.clear();
    toHub.clear();
  }

  /** Closes the nodes immediately. */
  void abort() {
    nodes.forEach(Node::abort);
  }
}
