package io.railflux.samples.cli.perf;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.stat.StatService;
import java.io.IOException;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The far side: executes orders and reports its counts. Engine thread only. */
final class Agent {

  private static final int PACES_PER_SECOND = 50;

  private final Node node;
  private final Plan plan;
  private final int sizeBytes;
  private final String host;
  private final Payloads payloads;
  private final Reading reading;
  private Peer peer;
  private Counting counting = Counting.none();

  /**
   * @param host listening address of the node, also used by bare sockets
   */
  Agent(Node node, Plan plan, String host) {
    this.node = node;
    this.plan = plan;
    this.sizeBytes = plan.sizeBytes();
    this.host = host;
    this.payloads = new Payloads(sizeBytes);
    this.reading = plan.reading();
  }

  static Route<Payload, Payload> requests(int sizeBytes) {
    return new Route<>("perf.request", new PayloadCodec(sizeBytes), new PayloadCodec(sizeBytes));
  }

  /** Completes when the first peer has disconnected. */
  Mono<Void> serve() {
    node.respond(Order.ROUTE, this::onOrder);
    node.respond(Figures.ROUTE, asked -> Mono.just(Figures.of(node.name(), counting)));
    // The request is valid in the ring only during the call, so the reply needs its own bytes.
    node.respond(requests(sizeBytes), request -> Mono.just(answer(request)));
    return node.peers()
        .filter(peer -> !StatService.isAsker(peer))
        .doOnNext(this::onPeer)
        .next()
        .flatMap(Peer::onClose);
  }

  private void onPeer(Peer came) {
    peer = came;
    if (plan.workload() == Workload.COLD) {
      echo(Cold.OUT, Cold.BACK);
    }
  }

  private Mono<Integer> onOrder(Order order) {
    if (order.sizeBytes() != sizeBytes) {
      return Mono.error(
          new IllegalArgumentException("the listening side was started with --size " + sizeBytes));
    }
    if (order.work() != plan.work()) {
      return Mono.error(new IllegalArgumentException(
          "the listening side was started with --work " + plan.work()));
    }
    if (order.task() == Order.Task.PERFTEST_LATENCY
        || order.task() == Order.Task.PERFTEST_BANDWIDTH) {
      Perftest.Tool tool = Perftest.Tool.of(order.task());
      return Mono.fromCallable(() -> Perftest.serve(tool, sizeBytes))
          .subscribeOn(Schedulers.boundedElastic());
    }
    try {
      return Mono.just(obey(order));
    } catch (IOException e) {
      return Mono.error(e);
    }
  }

  /** Returns the port of a bare socket, or 0. */
  private int obey(Order order) throws IOException {
    switch (order.task()) {
      case COUNT -> count(order);
      case ECHO -> echo(order.out(), order.back());
      case PACE -> pace(order);
      case RAW_COUNT, RAW_ECHO ->
        RawPeer.start(order, RawFile.open(order.rawOwner(), order.round(), sizeBytes, plan.work()));
      case SPINNING_COUNT, SPINNING_ECHO -> {
        return SocketPeer.start(order, SocketMode.SPINNING, host);
      }
      case BLOCKING_COUNT, BLOCKING_ECHO -> {
        return SocketPeer.start(order, SocketMode.BLOCKING, host);
      }
      default -> throw new IllegalArgumentException("cannot " + order.task());
    }
    return 0;
  }

  private void count(Order order) {
    counting = new Counting(Long.MAX_VALUE, plan.reading());
    peer.receive(order.out(), new PayloadCodec(sizeBytes)).subscribe(counting);
  }

  private void echo(String out, String back) {
    PayloadCodec codec = new PayloadCodec(sizeBytes);
    Flux<Payload> echoes = peer.receive(out, codec).map(this::answer);
    // The measuring side, where both streams end, reports failures.
    peer.send(back, codec, echoes).subscribe(null, failure -> {});
  }

  private Payload answer(Payload message) {
    reading.read(message.buffer(), message.offset());
    return payloads.numbered(message.number());
  }

  private void pace(Order order) {
    int step = Math.max(1, order.perSecond() / PACES_PER_SECOND);
    Duration period = Duration.ofNanos(1_000_000_000L * step / order.perSecond());
    Counting slow = new Counting(step, plan.reading());
    counting = slow;
    peer.receive(order.out(), new PayloadCodec(sizeBytes)).subscribe(slow);
    Flux.interval(period)
        .onBackpressureDrop()
        .takeWhile(tick -> !slow.isDisposed())
        .subscribe(tick -> slow.more(step));
  }
}
