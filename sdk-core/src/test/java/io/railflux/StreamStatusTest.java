package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.message.Codecs;
import io.railflux.metrics.StreamStatus;
import io.railflux.metrics.StreamStatus.Kind;
import io.railflux.metrics.StreamStatus.State;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What {@link Peer#streams} and {@link Peer#explain} say about streams, also while the engine is held up. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StreamStatusTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;
  private Peer sender;
  private Peer receiver;

  @BeforeEach
  void connect() {
    pair = nodes.pair();
    sender = pair.toServer();
    receiver = pair.toClient();
  }

  private void send(String name) {
    sender.send(name, Codecs.int64(), Flux.just(1L).concatWith(Flux.never())).subscribe();
  }

  private static void awaitStatus(Peer peer, Kind kind, State state, String name) {
    await().atMost(Nodes.PATIENCE).until(() -> find(peer, kind, state, name) != null);
  }

  private static StreamStatus find(Peer peer, Kind kind, State state, String name) {
    return peer.streams().stream()
        .filter(status -> status.kind() == kind && status.state() == state)
        .filter(status -> status.name().equals(name))
        .findAny()
        .orElse(null);
  }

  @Test
  void bothSidesListStreamsThatTheOtherDoesNotKnow() {
    receiver.receive("tirades", Codecs.int64()).subscribe(n -> {}, e -> {});
    send("trades");

    awaitStatus(receiver, Kind.OFFERED, State.OPENING, "trades");
    awaitStatus(receiver, Kind.RECEIVED, State.OPENING, "tirades");
    awaitStatus(sender, Kind.SENT, State.OPENING, "trades");
    await().until(() -> sender.explain().contains("it awaits 'tirades'"));
  }

  @Test
  void aStreamFlowsOnceBothSidesKnowIt() {
    send("trades");
    StepVerifier.create(receiver.receive("trades", Codecs.int64()), 1)
        .expectNext(1L)
        .then(() -> {
          awaitStatus(sender, Kind.SENT, State.FLOWING, "trades");
          StreamStatus received = find(receiver, Kind.RECEIVED, State.FLOWING, "trades");
          assertEquals(1, received.messages());
          assertEquals("demand of its subscriber", received.waitsFor());
        })
        .thenCancel()
        .verify(Nodes.PATIENCE);
    await().until(() -> receiver.streams().isEmpty() && sender.streams().isEmpty());
  }

  @Test
  void aStreamThatIsNoLongerReceivedIsGone() {
    receiver.receive("tirades", Codecs.int64()).subscribe().dispose();
    send("behind it");

    awaitStatus(receiver, Kind.OFFERED, State.OPENING, "behind it");
    assertFalse(receiver.explain().contains("tirades"), receiver.explain());
  }

  @Test
  void requestsWithoutAReplyAreOneEntry() {
    Route<Integer, String> route = new Route<>("oracle", Codecs.int32(), Codecs.utf8());
    pair.server().respond(route, number -> Mono.never());
    sender.request(route, 1).subscribe();
    sender.request(route, 2).subscribe();

    await().until(() -> {
      StreamStatus status = find(sender, Kind.REQUESTED, State.FLOWING, "oracle");
      return status != null && status.openDemand() == 2;
    });
  }
}
