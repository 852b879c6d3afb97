package io.railflux.samples.cli.netlab;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.stat.StatService;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/** Executes the orders of the near host for the latest peer. */
final class FarHost {

  private final Map<Integer, Witness> witnesses = new ConcurrentHashMap<>();
  private final Map<Integer, Source> sources = new ConcurrentHashMap<>();
  private volatile Peer peer;

  static Route<Payload, Payload> requests(int sizeBytes) {
    return new Route<>(
        "netlab.request." + sizeBytes, new PayloadCodec(sizeBytes), new PayloadCodec(sizeBytes));
  }

  /** Serves requests of every size. */
  void serve(Node node) {
    node.respond(Order.ROUTE, order -> Mono.fromSupplier(() -> obey(order)));
    for (int sizeBytes : new int[] {RequestLatency.SIZE_BYTES, Flap.REQUEST_BYTES}) {
      ByteBuffer fill = Payload.fill(sizeBytes);
      node.respond(
          requests(sizeBytes),
          request -> Mono.just(reply(fill, sizeBytes).number(request.number())));
    }
    node.peers().filter(came -> !StatService.isAsker(came)).subscribe(came -> peer = came);
  }

  private static Payload reply(ByteBuffer fill, int sizeBytes) {
    Payload reply = new Payload();
    reply.wrap(fill, 0, sizeBytes);
    return reply;
  }

  private Order.Answer obey(Order order) {
    switch (order.task()) {
      case RECEIVE -> {
        Witness witness = new Witness(order.sizeBytes());
        witnesses.put(order.stream(), witness);
        peer.receive(Order.name(order.stream()), new PayloadCodec(order.sizeBytes()))
            .subscribe(witness);
      }
      case SEND ->
        sources.put(order.stream(), Source.start(peer, order.stream(), order.sizeBytes()));
      case STOP -> sources.remove(order.stream()).stop();
      case REPORT -> {
        Witness witness = witnesses.get(order.stream());
        return new Order.Answer(witness.tally(), witness.within(order.span()));
      }
    }
    return Order.Answer.DONE;
  }
}
