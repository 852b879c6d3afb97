package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.Remote;
import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.policy.Balancing;
import io.railflux.policy.RemoteOptions;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams and requests that survive restarts of either side. */
final class Restarts {

  static final Route<String, Integer> LENGTH = new Route<>("length", Codecs.utf8(), Codecs.int32());

  private Restarts() {}

  // tag::publish-from[]
  /** The producer offers its log to every peer, from the entry that the peer wants next. */
  static void serve(Node node, List<String> log) {
    node.publishFrom(
        "log",
        Codecs.utf8(),
        (peer, position) -> Flux.fromIterable(log.subList(Math.toIntExact(position), log.size())));
    node.respond(LENGTH, text -> Mono.just(text.length()));
  }
  // end::publish-from[]

  // tag::receive-from[]
  /** The consumer knows how much it has processed, here by the size of a list. */
  static Mono<Void> follow(Remote remote, List<String> processed) {
    return remote
        .receiveFrom("log", Codecs.utf8(), processed.size())
        .doOnNext(processed::add)
        .then();
  }
  // end::receive-from[]

  // tag::idempotent[]
  /** May run twice at the server, if that ends in the middle of the first time. */
  static Mono<Integer> ask(Remote remote, String text) {
    return remote.request(LENGTH.asIdempotent(), text);
  }
  // end::idempotent[]

  // tag::balanced[]
  /** Requests go to the instance with the fewest requests under way, and avoid those that drain. */
  static Remote balanced(Node node, String addresses) {
    return node.remote(addresses, RemoteOptions.DEFAULT.balancing(Balancing.LEAST_OUTSTANDING));
  }
  // end::balanced[]

  /** Runs a client over two generations of a server, and returns what the client received. */
  static List<String> run(String address, List<String> log) {
    List<String> processed = new ArrayList<>();
    Node client = Railflux.create().name("client").start().block(TwoNodes.PATIENCE);
    try {
      Remote remote = client.remote(address);
      for (String name : List.of("first", "second")) {
        Node server = Railflux.create().name(name).start().block(TwoNodes.PATIENCE);
        serve(server, log.subList(0, name.equals("first") ? log.size() / 2 : log.size()));
        server.bind(address).block(TwoNodes.PATIENCE);
        follow(remote, processed).block(TwoNodes.PATIENCE);
        ask(remote, name).block(TwoNodes.PATIENCE);
        server.close().block(TwoNodes.PATIENCE);
      }
      return processed;
    } finally {
      client.close().block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(run("shm:restarts", List.of("a", "b", "c", "d")));
  }
}
