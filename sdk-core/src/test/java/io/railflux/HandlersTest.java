package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What handlers see, requests without a reply, and channels. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HandlersTest {

  private static final Route<Integer, Integer> ROUTE =
      new Route<>("route", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Test
  void aHandlerSeesTheRequesterHeadersAndTimeToLive() {
    Nodes.Pair pair = nodes.pair();
    CompletableFuture<Peer> requester = new CompletableFuture<>();
    CompletableFuture<Envelope<Integer>> seen = new CompletableFuture<>();
    pair.server().respond(ROUTE, (peer, request) -> {
      requester.complete(peer);
      seen.complete(request);
      return Mono.just(request.payload() + 1);
    });
    Envelope<Integer> request =
        Envelope.of(1).withHeader("tenant", "a").withTimeToLive(Duration.ofSeconds(30));
    assertEquals(2, pair.toServer().request(ROUTE, request).block(Nodes.PATIENCE));
    assertSame(pair.toClient(), requester.join());
    assertEquals("a", seen.join().headers().text("tenant").orElseThrow());
    assertTrue(seen.join().timeToLive().compareTo(Duration.ofSeconds(30)) <= 0);
  }

  @Test
  void aHandlerOfStreamsMayAskItsRequesterBack() {
    Nodes.Pair pair = nodes.pair();
    Route<Integer, Integer> back = new Route<>("back", Codecs.int32(), Codecs.int32());
    pair.client().respond(back, number -> Mono.just(number * 10));
    pair.server()
        .respondStream(
            ROUTE,
            (peer, request) ->
                Flux.range(1, request.payload()).concatMap(number -> peer.request(back, number)));
    assertEquals(
        List.of(10, 20, 30),
        pair.toServer().requestStream(ROUTE, 3).collectList().block(Nodes.PATIENCE));
  }

  @Test
  void aForgottenRequestCompletesBeforeItsHandlerDoes() {
    Nodes.Pair pair = nodes.pair();
    List<Integer> handled = new CopyOnWriteArrayList<>();
    Sinks.One<Integer> later = Sinks.one();
    pair.server().respond(ROUTE, number -> {
      handled.add(number);
      return later.asMono();
    });
    pair.toServer().fireAndForget(ROUTE, 7).block(Nodes.PATIENCE);
    await().until(() -> handled.equals(List.of(7)));
    later.tryEmitError(new IllegalStateException("nobody hears this")).orThrow();
  }

  @Test
  void aForgottenRequestThatCannotBeSentFails() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().close().block(Nodes.PATIENCE);
    assertThrows(
        io.railflux.exceptions.PeerClosedException.class,
        () -> pair.toServer().fireAndForget(ROUTE, 7).block(Nodes.PATIENCE));
  }

  @Test
  void aForgottenRequestOfAnUnknownRouteIsLoggedOnceWithTheKnownRoutes() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ROUTE, number -> Mono.just(number));
    Route<Integer, Integer> misspelt = new Route<>("rout", Codecs.int32(), Codecs.int32());
    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        pair.toServer().fireAndForget(misspelt, i).block(Nodes.PATIENCE);
        assertThrows(
            StreamRejectedException.class,
            () -> pair.toServer().request(misspelt, 0).block(Nodes.PATIENCE));
      }
      assertEquals(
          1, lines.count("request 'rout' to ", "no responder for 'rout'", "it serves 'route'"));
    }
  }

  @Test
  void failuresOfAHandlerAreLoggedOnceAMinute() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ROUTE, number -> Mono.error(new IllegalStateException("broken")));
    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 5; i++) {
        assertThrows(
            RemoteStreamException.class,
            () -> pair.toServer().request(ROUTE, 0).block(Nodes.PATIENCE));
      }
      assertEquals(1, lines.count("answering 'route' for ", "failed"));
    }
  }

  @Test
  void aChannelCarriesValuesBothWays() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondChannel(ROUTE, (peer, values) -> values.map(value -> value * 2));
    assertEquals(
        List.of(2, 4, 6),
        pair.toServer()
            .requestChannel(ROUTE, Flux.just(1, 2, 3))
            .collectList()
            .block(Nodes.PATIENCE));
  }

  @Test
  void cancellingAChannelCancelsItsValues() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean atServer = new AtomicBoolean();
    AtomicBoolean atClient = new AtomicBoolean();
    pair.server()
        .respondChannel(
            ROUTE,
            (peer, values) ->
                values.doOnError(error -> atServer.set(true)).doOnCancel(() -> atServer.set(true)));
    Flux<Integer> values =
        Flux.range(0, 3).concatWith(Flux.never()).doOnCancel(() -> atClient.set(true));
    assertEquals(
        List.of(0, 1),
        pair.toServer().requestChannel(ROUTE, values).take(2).collectList().block(Nodes.PATIENCE));
    await().untilTrue(atClient);
    await().untilTrue(atServer);
  }

  @Test
  void theErrorOfTheValuesReachesTheHandler() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondChannel(ROUTE, (peer, values) -> values.onErrorReturn(-1));
    Flux<Integer> values = Flux.just(1).concatWith(Flux.error(new IllegalStateException("broken")));
    assertEquals(
        List.of(1, -1),
        pair.toServer().requestChannel(ROUTE, values).collectList().block(Nodes.PATIENCE));
  }

  @Test
  void aChannelFailsAtOnceIfThePeerHasNoPlaceForItsValues() {
    Nodes.Pair pair = nodes.pair(config -> config.maxStreams(1));
    pair.server().respondChannel(ROUTE, (peer, values) -> values);
    pair.toServer()
        .send("occupied", Codecs.int32(), Flux.never())
        .onErrorComplete()
        .subscribe();
    StreamRejectedException error = assertThrows(
        StreamRejectedException.class,
        () -> pair.toServer().requestChannel(ROUTE, Flux.just(1)).blockLast(Nodes.PATIENCE));
    assertEquals(StreamRejectedException.Reason.TOO_MANY_STREAMS, error.reason());
  }

  @Test
  void aChannelWithAnotherCodecIsRefused() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondChannel(ROUTE, (peer, values) -> Flux.empty());
    Route<String, Integer> other = new Route<>("route", Codecs.utf8(), Codecs.int32());
    assertThrows(
        StreamRejectedException.class,
        () -> pair.toServer().requestChannel(other, Flux.just("a")).blockLast(Nodes.PATIENCE));
    assertThrows(
        StreamRejectedException.class,
        () -> pair.toServer().request(ROUTE, 1).block(Nodes.PATIENCE));
  }

  @Test
  void awaitCloseReturnsWhenTheNodeHasEnded() throws InterruptedException {
    Node node = nodes.start("node");
    Thread waiting = new Thread(() -> {
      try {
        node.awaitClose();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    waiting.start();
    waiting.join(50);
    assertTrue(waiting.isAlive());
    node.close().block(Nodes.PATIENCE);
    waiting.join(10_000);
    assertFalse(waiting.isAlive());
  }

  @Test
  void awaitCloseRefusesTheEngineThread() {
    Node node = nodes.start("node");
    assertThrows(
        IllegalStateException.class,
        () -> Mono.fromRunnable(() -> {
              try {
                node.awaitClose();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
            .subscribeOn(node.scheduler())
            .block(Nodes.PATIENCE));
  }
}
