package io.railflux.samples.cli.perf;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import java.io.IOException;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The far side: does what each order asks and tells what it counted. Engine thread only. */
final class Agent {

  private static final int PACES_PER_SECOND = 50;

  private final Node node;
  private final int sizeBytes;
  private final Payloads payloads;
  private Peer peer;
  private Counting counting = new Counting(0);

  Agent(Node node, int sizeBytes) {
    this.node = node;
    this.sizeBytes = sizeBytes;
    this.payloads = new Payloads(sizeBytes);
  }

  static Route<Payload, Payload> requests(int sizeBytes) {
    return new Route<>("perf.request", new PayloadCodec(sizeBytes), new PayloadCodec(sizeBytes));
  }

  /** Completes when the first peer has come and gone. */
  Mono<Void> serve() {
    node.respond(Order.ROUTE, this::onOrder);
    node.respond(Figures.ROUTE, asked -> Mono.just(Figures.of(node.name(), counting)));
    // The request lies in the ring only as long as the call lasts: the reply has its own bytes.
    node.respond(requests(sizeBytes), request -> Mono.just(payloads.numbered(request.number())));
    return node.peers().doOnNext(came -> peer = came).next().flatMap(Peer::onClose);
  }

  private Mono<Boolean> onOrder(Order order) {
    if (order.sizeBytes() != sizeBytes) {
      return Mono.error(
          new IllegalArgumentException("the listening side was started with --size " + sizeBytes));
    }
    switch (order.task()) {
      case COUNT -> count(order);
      case ECHO -> echo(order);
      case PACE -> pace(order);
      case RAW_COUNT, RAW_ECHO -> {
        try {
          RawPeer.start(order, RawFile.open(order.rawOwner(), order.round(), sizeBytes));
        } catch (IOException e) {
          return Mono.error(e);
        }
      }
    }
    return Mono.just(true);
  }

  private void count(Order order) {
    counting = new Counting(Long.MAX_VALUE);
    peer.receive(order.out(), new PayloadCodec(sizeBytes)).subscribe(counting);
  }

  private void echo(Order order) {
    PayloadCodec codec = new PayloadCodec(sizeBytes);
    Flux<Payload> echoes =
        peer.receive(order.out(), codec).map(ping -> payloads.numbered(ping.number()));
    // What went wrong shows at the measuring side, where both streams end.
    peer.send(order.back(), codec, echoes).subscribe(null, failure -> {});
  }

  private void pace(Order order) {
    int step = Math.max(1, order.perSecond() / PACES_PER_SECOND);
    Duration period = Duration.ofNanos(1_000_000_000L * step / order.perSecond());
    Counting slow = new Counting(step);
    counting = slow;
    peer.receive(order.out(), new PayloadCodec(sizeBytes)).subscribe(slow);
    Flux.interval(period)
        .onBackpressureDrop()
        .takeWhile(tick -> !slow.isDisposed())
        .subscribe(tick -> slow.more(step));
  }
}
