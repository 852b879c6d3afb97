package io.railflux.samples.quickstart;

import io.railflux.Peer;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.message.Codecs;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Errors and cancellations reach the other side. */
final class ErrorsAndCancellation {

  private ErrorsAndCancellation() {}

  // tag::remote-error[]
  static Flux<String> receive(Peer peer) {
    return peer.receive("lines", Codecs.utf8())
        .onErrorResume(
            RemoteStreamException.class,
            error -> Flux.just("the producer failed: " + error.remoteMessage()));
  }
  // end::remote-error[]

  // tag::outcome[]
  static Mono<String> outcome(Mono<Void> sent) {
    return sent.thenReturn("all delivered")
        .onErrorResume(
            StreamCancelledException.class,
            e -> Mono.just("cancelled after " + e.acknowledgedCount() + " or more"))
        .onErrorResume(
            DeliveryUnknownException.class,
            e -> Mono.just("lost after " + e.acknowledgedCount() + " or more"));
  }
  // end::outcome[]

  /** The producer fails after two lines. */
  static String failing(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      Flux<String> lines =
          Flux.just("one", "two").concatWith(Flux.error(new IllegalStateException("no more")));
      nodes.toClient().send("lines", Codecs.utf8(), lines).subscribe(done -> {}, error -> {});
      return receive(nodes.toServer()).blockLast(TwoNodes.PATIENCE);
    }
  }

  /** The consumer cancels an endless stream after three lines. */
  static String cancelling(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      Flux<String> endless = Flux.generate(sink -> sink.next("again"));
      Mono<String> outcome = outcome(nodes.toClient().send("lines", Codecs.utf8(), endless));
      Mono<Long> taken = receive(nodes.toServer()).take(3).count();
      return outcome.zipWith(taken, (what, n) -> what + ", taken " + n).block(TwoNodes.PATIENCE);
    }
  }

  /** The node of the consumer ends without notification; the producer waits for the configured time. */
  static String losing(String address) {
    try (TwoNodes nodes =
        TwoNodes.connected(address, config -> config.partitionTimeout(Duration.ofMillis(600)))) {
      Flux<String> endless = Flux.generate(sink -> sink.next("again"));
      nodes
          .toServer()
          .receive("lines", Codecs.utf8())
          .skip(100)
          .subscribe(line -> nodes.client().abort(), closed -> {});
      return outcome(nodes.toClient().send("lines", Codecs.utf8(), endless))
          .block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(failing("shm:failing"));
    System.out.println(cancelling("shm:cancelling"));
    System.out.println(losing("shm:losing"));
  }
}
