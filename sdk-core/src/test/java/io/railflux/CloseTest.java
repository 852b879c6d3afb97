package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Drain and abort, of a peer and of a node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CloseTest {

  private static final Route<Integer, Integer> ECHO =
      new Route<>("echo", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.orTimeout(20, TimeUnit.SECONDS).join())
        .getCause();
  }

  @Test
  void closeOfAnIdlePeerEndsBothSides() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().close().block(Nodes.PATIENCE);
    pair.toServer().onClose().block(Nodes.PATIENCE);
    pair.toClient().onClose().block(Nodes.PATIENCE);

    StepVerifier.create(pair.toServer().send("n", Codecs.int32(), Flux.just(1)))
        .expectError(PeerClosedException.class)
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().receive("n", Codecs.int32()))
        .expectError(PeerClosedException.class)
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().request(ECHO, 1))
        .expectError(PeerClosedException.class)
        .verify(Nodes.PATIENCE);
  }

  @Test
  void bothSidesMayCloseAtOnceAndTwice() {
    Nodes.Pair pair = nodes.pair();
    Mono.when(
            pair.toServer().close(),
            pair.toClient().close(),
            pair.toServer().close(),
            pair.server().close(),
            pair.client().close())
        .block(Nodes.PATIENCE);

    pair.toServer().close().block(Nodes.PATIENCE);
    pair.server().close().block(Nodes.PATIENCE);
  }

  @Test
  void acceptedMessagesAreDeliveredBeforeTheClose() {
    Nodes.Pair pair = nodes.pair();
    AtomicLong taken = new AtomicLong();
    AtomicLong received = new AtomicLong();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    pair.toClient()
        .receive("n", Codecs.bytes())
        .subscribe(b -> received.incrementAndGet(), ended::completeExceptionally);
    pair.toServer()
        .send(
            "n",
            Codecs.bytes(),
            Flux.range(0, 10_000_000)
                .map(i -> new byte[20_000])
                .doOnNext(b -> taken.incrementAndGet()))
        .subscribe(x -> {}, e -> {});
    await().until(() -> received.get() > 1000);

    pair.toServer().close().block(Nodes.PATIENCE);

    assertEquals(taken.get(), received.get());
    failure(ended);
  }

  @Test
  void sendInterruptedByACloseFails() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});
    AtomicBoolean cancelled = new AtomicBoolean();
    var sent = pair.toServer()
        .send(
            "n",
            Codecs.int32(),
            Flux.concat(Flux.just(1), Flux.<Integer>never()).doOnCancel(() -> cancelled.set(true)))
        .toFuture();
    pair.toServer().close().block(Nodes.PATIENCE);

    assertInstanceOf(PeerClosedException.class, failure(sent));
    assertTrue(cancelled.get());
  }

  @Test
  void receiverIsNotifiedThatItsPeerCloses() {
    Nodes.Pair pair = nodes.pair();
    Mono<Void> never =
        pair.toServer().send("n", Codecs.int32(), Flux.concat(Flux.just(1), Flux.never()));
    var receivedFirst = new CompletableFuture<Integer>();
    var received = pair.toClient()
        .receive("n", Codecs.int32())
        .doOnNext(receivedFirst::complete)
        .then()
        .toFuture();
    var sent = never.toFuture();
    receivedFirst.join();
    pair.client().close().block(Nodes.PATIENCE);

    var e = assertInstanceOf(PeerClosedException.class, failure(received));
    String expected = "stream 'n': peer '" + pair.client().name() + "' (";
    assertTrue(e.getMessage().startsWith(expected), e.getMessage());
    assertTrue(e.getMessage().endsWith(" is closing"), e.getMessage());
    var atSender = assertInstanceOf(PeerClosedException.class, failure(sent));
    assertTrue(atSender.getMessage().startsWith("stream 'n' to peer '"), atSender.getMessage());
    assertTrue(
        atSender.getMessage().endsWith(": " + pair.client().name() + " is closing"),
        atSender.getMessage());
  }

  @Test
  void requesterIsNotifiedOfUndrainedRequests() {
    Nodes.Pair pair = nodes.pair(config -> config.drainTimeout(Duration.ofMillis(300)));
    CompletableFuture<Integer> asked = new CompletableFuture<>();
    pair.server().respond(ECHO, n -> {
      asked.complete(n);
      return Mono.never();
    });
    var reply = pair.toServer().request(ECHO, 1).toFuture();
    asked.join();
    pair.toClient().close().subscribe(x -> {}, e -> {});

    var e = assertInstanceOf(PeerClosedException.class, failure(reply));
    assertFalse(e.getMessage().contains(pair.client().name()), e.getMessage());
  }

  @Test
  void receiverIsNotifiedThatItsPeerAborted() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toServer().receive("n", Codecs.int32()).then().toFuture();
    pair.toClient().abort();

    String errorText = failure(received).getMessage();
    assertTrue(errorText.endsWith("left: it aborted the session"), errorText);
  }

  @Test
  void closeOfTheReceiverFailsReceiverAndSender() {
    Nodes.Pair pair = nodes.pair();
    List<Integer> got = new CopyOnWriteArrayList<>();
    var received =
        pair.toClient().receive("n", Codecs.int32()).doOnNext(got::add).then().toFuture();
    var sent = pair.toServer()
        .send("n", Codecs.int32(), Flux.concat(Flux.just(1), Flux.never()))
        .toFuture();
    await().until(() -> got.size() == 1);
    pair.toClient().close().block(Nodes.PATIENCE);

    assertInstanceOf(PeerClosedException.class, failure(received));
    failure(sent);
  }

  @Test
  void pendingRequestIsStillAnswered() {
    Nodes.Pair pair = nodes.pair();
    Sinks.One<Integer> answer = Sinks.one();
    AtomicBoolean asked = new AtomicBoolean();
    pair.server().respond(ECHO, n -> answer.asMono().doOnSubscribe(s -> asked.set(true)));
    var reply = pair.toServer().request(ECHO, 1).toFuture();
    await().untilTrue(asked);
    var closed = pair.server().close().toFuture();
    answer.tryEmitValue(7);

    assertEquals(7, reply.orTimeout(20, TimeUnit.SECONDS).join());
    closed.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void closingSideAnswersPendingRequestsUnderEndlessOnes() {
    Nodes.Pair pair = nodes.pair(config -> config.drainTimeout(Duration.ofSeconds(20)));
    AtomicLong begun = new AtomicLong();
    AtomicLong answered = new AtomicLong();
    pair.server()
        .respond(
            ECHO,
            n -> Mono.delay(Duration.ofMillis(20))
                .doOnSubscribe(s -> begun.incrementAndGet())
                .thenReturn(n));
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Flux.range(0, 1_000_000)
        .flatMap(
            n -> pair.toServer().request(ECHO, n).onErrorResume(e -> {
              refused.complete(e);
              return Mono.empty();
            }),
            8)
        .takeUntilOther(pair.toServer().onClose())
        .subscribe(n -> answered.incrementAndGet());
    await().until(() -> answered.get() > 16);

    pair.toClient().close().block(Duration.ofSeconds(10));

    assertEquals(begun.get(), answered.get());
    var e = assertInstanceOf(StreamRejectedException.class, refused.join());
    assertEquals(StreamRejectedException.Reason.CLOSING, e.reason());
  }

  @Test
  void responderOfAPendingRequestMaySendRequests() {
    Nodes.Pair pair = nodes.pair();
    Route<Integer, Integer> asksBack = new Route<>("asks-back", Codecs.int32(), Codecs.int32());
    Sinks.Empty<Void> closing = Sinks.empty();
    AtomicBoolean asked = new AtomicBoolean();
    pair.client().respond(ECHO, n -> Mono.just(n + 1));
    pair.server()
        .respond(
            asksBack,
            n -> closing
                .asMono()
                .doOnSubscribe(s -> asked.set(true))
                .then(pair.toClient().request(ECHO, n)));
    var reply = pair.toServer().request(asksBack, 6).toFuture();
    await().untilTrue(asked);
    var closed = pair.toServer().close().toFuture();
    // The same thread sends it after the close.
    pair.client().scheduler().schedule(closing::tryEmitEmpty);

    assertEquals(7, reply.orTimeout(20, TimeUnit.SECONDS).join());
    closed.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void closeAfterAnAbortSucceeds() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().abort();
    pair.toServer().onClose().block(Nodes.PATIENCE);
    pair.toClient().onClose().block(Nodes.PATIENCE);

    pair.toServer().close().block(Nodes.PATIENCE);
    pair.toClient().close().block(Nodes.PATIENCE);
  }

  @Test
  void drainEndsAfterTheBound() {
    Nodes.Pair pair = nodes.pair(config -> config.drainTimeout(Duration.ofMillis(300)));
    pair.server().respond(ECHO, n -> Mono.never());
    var reply = pair.toServer().request(ECHO, 1).toFuture();
    AtomicBoolean asked = new AtomicBoolean();
    pair.server().peers().next().subscribe(p -> asked.set(true));
    await().untilTrue(asked);

    StepVerifier.create(pair.toServer().close())
        .expectErrorSatisfies(e -> assertTrue(e.getMessage().contains("300 ms"), e.getMessage()))
        .verify(Duration.ofSeconds(5));
    assertInstanceOf(PeerClosedException.class, failure(reply));
  }

  @Test
  void abortOfAPeerLeavesDeliveryUnknown() {
    Nodes.Pair pair = nodes.pair();
    BaseSubscriber<Integer> subscriber = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription s) {
        s.request(3);
      }
    };
    pair.toClient().receive("n", Codecs.int32()).onErrorComplete().subscribe(subscriber);
    AtomicLong acknowledged = new AtomicLong();
    var sent = pair.toServer()
        .sendWithReceipts("n", Codecs.int32(), Flux.range(0, 100))
        .doOnNext(r -> acknowledged.incrementAndGet())
        .then()
        .toFuture();
    await().until(() -> acknowledged.get() == 3);
    pair.toServer().abort();

    var e = assertInstanceOf(DeliveryUnknownException.class, failure(sent));
    assertEquals(3, e.acknowledgedCount());
    pair.toServer().onClose().block(Nodes.PATIENCE);
  }

  @Test
  void connectorDetectsAnAbortOfTheAcceptorImmediately() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toServer().receive("n", Codecs.int32()).then().toFuture();
    pair.toClient().abort();

    assertInstanceOf(PeerClosedException.class, failure(received));
  }

  @Test
  void acceptorDetectsAnAbortOfTheConnectorImmediately() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toClient().receive("n", Codecs.int32()).then().toFuture();
    pair.toServer().abort();

    assertInstanceOf(PeerClosedException.class, failure(received));
  }

  @Test
  void closingNodeDrainsAllPeers() {
    Node server = nodes.start("hub");
    String address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
    AtomicLong received = new AtomicLong();
    AtomicLong taken = new AtomicLong();
    for (int i = 0; i < 3; i++) {
      Nodes.Pair pair = nodes.join(server, nodes.start("spoke" + i), address);
      pair.toServer()
          .receive("n", Codecs.bytes())
          .subscribe(b -> received.incrementAndGet(), e -> {});
      pair.toClient()
          .send(
              "n",
              Codecs.bytes(),
              Flux.range(0, 10_000_000)
                  .map(x -> new byte[1000])
                  .doOnNext(b -> taken.incrementAndGet()))
          .subscribe(x -> {}, e -> {});
    }
    await().until(() -> received.get() > 3000);

    server.close().block(Nodes.PATIENCE);
    server.onClose().block(Nodes.PATIENCE);
    assertEquals(taken.get(), received.get());
  }
}
