package io.railflux;

import io.railflux.message.Codecs;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A process that starts two nodes, serves a first stream and a first request, and ends. */
final class FirstStream {

  static final String DONE = "served";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private FirstStream() {}

  /**
   * Runs both nodes and prints {@link #DONE} at the end.
   *
   * @param args the address that the server binds
   */
  public static void main(String[] args) {
    Route<String, String> greet = new Route<>("greet", Codecs.utf8(), Codecs.utf8());
    Node server = Railflux.create().name("server").start().block(PATIENCE);
    Node client = Railflux.create().name("client").start().block(PATIENCE);
    server.respond(greet, name -> Mono.just("hello " + name));
    Peer peer = client.connect(server.bind(args[0]).block(PATIENCE)).block(PATIENCE);
    Flux<Integer> received =
        server.peers().next().flatMapMany(from -> from.receive("numbers", Codecs.int32()));
    Mono.when(received, peer.send("numbers", Codecs.int32(), Flux.range(0, 1_000)))
        .block(PATIENCE);
    peer.request(greet, "world").block(PATIENCE);
    client.close().block(PATIENCE);
    server.close().block(PATIENCE);
    System.out.println(DONE);
  }
}
