package io.railflux.samples.quickstart;

import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Small named values beside a payload, and requests with a deadline. */
final class HeadersAndDeadlines {

  static final Route<String, String> ORACLE = new Route<>("oracle", Codecs.utf8(), Codecs.utf8());

  private HeadersAndDeadlines() {}

  // tag::send-envelopes[]
  static Mono<Void> send(Peer peer) {
    Envelope<String> urgent = Envelope.of("evacuate").withHeader("priority", "1");
    Envelope<String> casual = Envelope.of("lunch?").withTimeToLive(Duration.ofSeconds(2));
    return peer.sendEnvelopes("notices", Codecs.utf8(), Flux.just(urgent, casual));
  }
  // end::send-envelopes[]

  // tag::receive-envelopes[]
  static Flux<String> receive(Peer peer) {
    return peer.receiveEnvelopes("notices", Codecs.utf8())
        .map(notice -> notice.headers().text("priority").orElse("9") + " " + notice.payload());
  }
  // end::receive-envelopes[]

  // tag::deadline[]
  static Mono<String> ask(Peer peer, Duration limit) {
    return peer.request(ORACLE, Envelope.of("why?").withTimeToLive(limit))
        .onErrorReturn(DeadlineExceededException.class, "no answer in time");
  }
  // end::deadline[]

  static List<String> notices(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      send(nodes.toClient()).subscribe();
      return receive(nodes.toServer()).collectList().block(TwoNodes.PATIENCE);
    }
  }

  static String requestWithoutAnswer(String address) {
    try (TwoNodes nodes = TwoNodes.connected(address)) {
      nodes.server().respond(ORACLE, question -> Mono.never());
      return ask(nodes.toServer(), Duration.ofMillis(50)).block(TwoNodes.PATIENCE);
    }
  }

  public static void main(String[] args) {
    System.out.println(notices("shm:headers"));
    System.out.println(requestWithoutAnswer("shm:deadlines"));
  }
}
