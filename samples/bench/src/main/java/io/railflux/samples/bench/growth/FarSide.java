package io.railflux.samples.bench.growth;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Executes the orders of the hub: one node that receives its streams, and a crowd of further nodes. */
final class FarSide {

  static final String NAME = "growth-far";

  private static final int PACES_PER_SECOND = 50;

  private final Node node;
  private final Mono<Peer> hub;
  private final Crowd crowd;
  private Tally received = new Tally();
  private Tally misplaced = new Tally();

  private FarSide(Node node, Crowd crowd) {
    this.node = node;
    this.hub = node.connect(crowd.hubs(1)).cache();
    this.crowd = crowd;
  }

  static FarSide connect(Crowd crowd, boolean metered) {
    Node node = Metrics.node(crowd.fabric(), NAME, metered);
    FarSide side = new FarSide(node, crowd);
    // Orders may take long, so they do not run on the engine thread.
    node.respond(
        Order.ROUTE,
        order ->
            Mono.fromCallable(() -> side.obey(order)).subscribeOn(Schedulers.boundedElastic()));
    node.respond(Order.TROUBLE, asked -> Mono.just(crowd.trouble()));
    side.hub.block();
    return side;
  }

  private Order.Answer obey(Order order) {
    switch (order.task()) {
      case RECEIVE -> receive(order);
      case REPORT -> {
        return new Order.Answer(
            received.count(),
            misplaced.count() + crowd.misplaced(),
            MemoryFigures.now(),
            Order.Crossing.NONE);
      }
      case CONNECT, STORM -> {
        return Order.Answer.of(crowd.connect(order));
      }
      case SEND_ALL -> crowd.send(order);
      case STOP_ALL -> crowd.stop();
      case RECEIVE_ALL -> crowd.receive(order);
      case DISCONNECT -> crowd.disconnect();
    }
    return Order.Answer.DONE;
  }

  private void receive(Order order) {
    received = new Tally();
    misplaced = new Tally();
    List<Drain> slow = new ArrayList<>();
    Peer from = hub.block();
    for (int i = 0; i < order.count(); i++) {
      boolean isSlow = i < order.slow().streams();
      Drain drain = new Drain(received, misplaced, isSlow ? 0 : Long.MAX_VALUE);
      from.receive(Order.stream(order.round(), i), new PayloadCodec(order.sizeBytes()))
          .subscribe(drain);
      if (isSlow) {
        slow.add(drain);
      }
    }
    if (!slow.isEmpty() && order.slow().perSecond() > 0) {
      pace(slow, order.slow().perSecond() / PACES_PER_SECOND);
    }
  }

  private static void pace(List<Drain> slow, int step) {
    Flux.interval(Duration.ofSeconds(1).dividedBy(PACES_PER_SECOND))
        .onBackpressureDrop()
        .takeWhile(tick -> !slow.get(0).isDisposed())
        .subscribe(tick -> slow.forEach(drain -> drain.request(step)));
  }

  Mono<Void> onClose() {
    return hub.flatMap(Peer::onClose);
  }

  void close() {
    crowd.abort();
    node.abort();
  }
}
