package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.message.Codecs;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Configured entries of the Reactor context cross the wire. */
final class ContextPropagation {

  static final Route<String, String> GREET = new Route<>("greet", Codecs.utf8(), Codecs.utf8());

  private ContextPropagation() {}

  // tag::context[]
  static void serve(Node node) {
    node.respond(
        GREET,
        name -> Mono.deferContextual(
            context -> Mono.just("hello " + name + ", trace " + context.get("traceId"))));
  }

  static Mono<String> greet(Peer peer, String traceId) {
    return peer.request(GREET, "world").contextWrite(context -> context.put("traceId", traceId));
  }
  // end::context[]

  // tag::context-of-stream[]
  static Mono<Void> send(Peer peer, String traceId) {
    return peer.send("orders", Codecs.utf8(), Flux.just("buy 10"))
        .contextWrite(context -> context.put("traceId", traceId));
  }

  static Flux<String> receive(Peer peer) {
    return peer.receiveEnvelopes("orders", Codecs.utf8())
        .map(order -> order.payload() + ", trace " + order.context().get("traceId"));
  }
  // end::context-of-stream[]

  static String stream(String address) {
    try (TwoNodes nodes =
        TwoNodes.connected(address, config -> config.propagateContext("traceId"))) {
      send(nodes.toClient(), "00f067aa").subscribe();
      return receive(nodes.toServer()).blockLast(TwoNodes.PATIENCE);
    }
  }

  static String run(String address) {
    // tag::propagate[]
    try (TwoNodes nodes =
        TwoNodes.connected(address, config -> config.propagateContext("traceId"))) {
      serve(nodes.server());
      return greet(nodes.toServer(), "4bf92f35").block(TwoNodes.PATIENCE);
    }
    // end::propagate[]
  }

  public static void main(String[] args) {
    System.out.println(run("shm:context"));
    System.out.println(stream("shm:context"));
  }
}
