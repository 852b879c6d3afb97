package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.message.Codecs;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests with one reply, and with a stream of replies. */
final class RequestReply {

  // tag::routes[]
  static final Route<String, Integer> LENGTH = new Route<>("length", Codecs.utf8(), Codecs.int32());
  static final Route<Integer, Long> SQUARES =
      new Route<>("squares", Codecs.int32(), Codecs.int64());
  // end::routes[]

  private RequestReply() {}

  record Answers(int length, List<Long> squares) {}

  static Answers run(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      serve(nodes.server());
      return ask(nodes.toServer());
    }
  }

  // tag::respond[]
  static void serve(Node node) {
    node.respond(LENGTH, text -> Mono.just(text.length()));
    node.respondStream(SQUARES, first -> Flux.range(first, 1_000_000).map(i -> (long) i * i));
  }
  // end::respond[]

  // tag::request[]
  static Answers ask(Peer peer) {
    Mono<Integer> length = peer.request(LENGTH, "railflux");
    Flux<Long> squares = peer.requestStream(SQUARES, 10).take(3);
    return length.zipWith(squares.collectList(), Answers::new).block(TwoNodes.PATIENCE);
  }
  // end::request[]

  // tag::ask-many[]
  /** At most 256 requests run concurrently, whatever the subscriber requests. */
  static Flux<Integer> askMany(Peer peer, Flux<String> texts) {
    return texts.flatMap(text -> peer.request(LENGTH, text), 256);
  }
  // end::ask-many[]

  public static void main(String[] args) {
    System.out.println(run("shm:request-reply"));
  }
}
