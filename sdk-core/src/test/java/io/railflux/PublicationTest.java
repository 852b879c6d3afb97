package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A stream that a node offers to each of its peers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PublicationTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static List<Integer> receive(Peer peer, int most) {
    return peer.receive("numbers", Codecs.int32()).take(most).collectList().block(Nodes.PATIENCE);
  }

  @Test
  void everySubscriptionHasAPublisherOfItsOwn() {
    Nodes.Pair pair = nodes.pair();
    pair.server().publish("numbers", Codecs.int32(), peer -> Flux.range(0, 5));
    assertEquals(List.of(0, 1, 2, 3, 4), receive(pair.toServer(), 10));
    assertEquals(List.of(0, 1), receive(pair.toServer(), 2));
    assertEquals(List.of(0, 1, 2, 3, 4), receive(pair.toServer(), 10));
  }

  @Test
  void nothingSubscribesBeforeTheFirstDemand() {
    Nodes.Pair pair = nodes.pair();
    AtomicInteger subscribed = new AtomicInteger();
    pair.server().publish("numbers", Codecs.int32(), peer -> {
      subscribed.incrementAndGet();
      return Flux.range(0, 5);
    });
    StepVerifier.create(pair.toServer().receive("numbers", Codecs.int32()), 0)
        .expectSubscription()
        .then(() -> pair.toServer()
            .request(new Route<>("none", Codecs.int32(), Codecs.int32()), 1)
            .onErrorComplete()
            .block(Nodes.PATIENCE))
        .then(() -> assertEquals(0, subscribed.get()))
        .thenRequest(2)
        .expectNext(0, 1)
        .thenCancel()
        .verify(Nodes.PATIENCE);
    assertEquals(1, subscribed.get());
  }

  @Test
  void aPositionIsRejectedUnlessPositionsAreOffered() {
    Nodes.Pair pair = nodes.pair();
    pair.server().publish("numbers", Codecs.int32(), peer -> Flux.range(0, 5));
    StreamRejectedException error = assertThrows(
        StreamRejectedException.class,
        () -> pair.toServer().receiveFrom("numbers", Codecs.int32(), 3).blockLast(Nodes.PATIENCE));
    assertEquals(StreamRejectedException.Reason.NOT_POSITIONED, error.reason());
    assertEquals(List.of(0, 1, 2, 3, 4), receive(pair.toServer(), 10));
  }

  @Test
  void aNameIsPublishedOnceUntilItsPublicationIsDisposed() {
    Nodes.Pair pair = nodes.pair();
    Disposable first = pair.server().publish("numbers", Codecs.int32(), peer -> Flux.just(1));
    assertThrows(
        IllegalStateException.class,
        () -> pair.server().publishFrom("numbers", Codecs.int32(), (peer, at) -> Flux.just(2)));
    first.dispose();
    Disposable second = pair.server().publish("numbers", Codecs.int32(), peer -> Flux.just(3));
    // Must not free the name of the successor.
    first.dispose();
    assertThrows(
        IllegalStateException.class,
        () -> pair.server().publish("numbers", Codecs.int32(), peer -> Flux.just(4)));
    // A receiver that subscribes before the new offer arrives sees the end of the former one.
    await().ignoreExceptions().until(() -> receive(pair.toServer(), 10).equals(List.of(3)));
    second.dispose();
  }

  @Test
  void aFailingPublisherIsLoggedWithItsStackOnceAMinute() {
    Nodes.Pair pair = nodes.pair();
    pair.server()
        .publish(
            "numbers",
            Codecs.int32(),
            peer -> Flux.error(new ArithmeticException("divided by zero")));
    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        assertThrows(RemoteStreamException.class, () -> receive(pair.toServer(), 1));
      }
      await().until(() -> lines.count("the publisher of stream 'numbers' for ", "failed") == 1);
      assertTrue(lines.text().contains("java.lang.ArithmeticException: divided by zero"));
    }
  }

  @Test
  void aCancelIsNoFailureOfThePublisher() {
    Nodes.Pair pair = nodes.pair();
    try (LogLines lines = new LogLines()) {
      pair.server()
          .publish("numbers", Codecs.int32(), peer -> Flux.just(1).concatWith(Flux.never()));
      assertEquals(List.of(1), receive(pair.toServer(), 1));
      assertEquals(List.of(1), receive(pair.toServer(), 1));
      assertEquals(0, lines.count("failed"));
    }
  }

  @Test
  void theErrorOfOneSubscriptionLeavesTheOthersAlone() {
    Node server = nodes.start("server");
    String address = server.bind(nodes.newAddress()).block(Nodes.PATIENCE);
    server.publish(
        "numbers",
        Codecs.int32(),
        peer -> peer.name().equals("bad")
            ? Flux.error(new IllegalStateException("not for you"))
            : Flux.interval(java.time.Duration.ofMillis(1))
                .map(Long::intValue)
                .onBackpressureDrop());
    Peer good = nodes.start("good").connect(address).block(Nodes.PATIENCE);
    Peer bad = nodes.start("bad").connect(address).block(Nodes.PATIENCE);
    List<Integer> got = new CopyOnWriteArrayList<>();
    Disposable receiving = good.receive("numbers", Codecs.int32()).subscribe(got::add);
    assertThrows(RemoteStreamException.class, () -> receive(bad, 1));
    assertThrows(RemoteStreamException.class, () -> receive(bad, 1));
    int before = got.size();
    await().until(() -> got.size() > before + 10);
    receiving.dispose();
  }

  @Test
  void isOfferedToPeersThatComeLaterAndToPeersThisNodeConnectsTo() {
    Node server = nodes.start("server");
    Node client = nodes.start("client");
    client.publish("numbers", Codecs.int32(), peer -> Flux.range(7, 2));
    String address = server.bind(nodes.newAddress()).block(Nodes.PATIENCE);
    client.connect(address).block(Nodes.PATIENCE);
    assertEquals(List.of(7, 8), receive(server.peers().blockFirst(Nodes.PATIENCE), 10));
  }

  @Test
  void aDisposedPublicationIsOfferedNoMore() {
    Nodes.Pair pair = nodes.pair();
    Disposable publication = pair.server().publish("numbers", Codecs.int32(), peer -> Flux.never());
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    pair.toServer().receive("numbers", Codecs.int32()).subscribe(value -> {}, errors::add);
    await().until(() -> !pair.toServer().explain().contains("not announced"));
    publication.dispose();
    await().until(() -> errors.size() == 1);
    assertTrue(errors.get(0) instanceof RemoteStreamException, errors::toString);
    pair.server().publish("numbers", Codecs.int32(), peer -> Flux.just(1));
    assertEquals(List.of(1), receive(pair.toServer(), 10));
  }

  @Test
  void anotherSenderOfTheNameOnlyDelaysTheOffer() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient().send("numbers", Codecs.int32(), Flux.just(1)).subscribe();
    pair.server().publish("numbers", Codecs.int32(), peer -> Flux.just(2));
    assertEquals(List.of(1), receive(pair.toServer(), 10));
    assertEquals(List.of(2), receive(pair.toServer(), 10));
  }
}
