package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** A typed stream from one node to another over shared memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Tag("CH1")
class SendReceiveTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Mono<List<Long>> received(Peer from, String stream) {
    return from.receive(stream, Codecs.int64()).collectList();
  }

  private static Mono<Void> sent(Peer to, String stream, long from, int count) {
    return to.send(stream, Codecs.int64(), longs(from, count));
  }

  private static Flux<Long> longs(long from, int count) {
    return Flux.range(0, count).map(i -> from + i);
  }

  @Test
  void deliversEverythingInOrderFromConnectorToAcceptor() {
    Nodes.Pair pair = nodes.pair();
    Mono<List<Long>> both = Mono.zip(
            received(pair.toClient(), "numbers"),
            sent(pair.toServer(), "numbers", 0, 100_000).thenReturn(true))
        .map(t -> t.getT1());

    assertEquals(longs(0, 100_000).collectList().block(), both.block(Nodes.PATIENCE));
  }

  @Test
  void deliversEverythingInOrderFromAcceptorToConnector() {
    Nodes.Pair pair = nodes.pair();
    Mono<Void> sending = sent(pair.toClient(), "numbers", 5, 50_000);
    List<Long> expected = longs(5, 50_000).collectList().block();

    StepVerifier.create(received(pair.toServer(), "numbers").zipWith(sending.thenReturn(true)))
        .assertNext(t -> assertEquals(expected, t.getT1()))
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void carriesTheSameNameInBothDirectionsAtOnce() {
    Nodes.Pair pair = nodes.pair();
    var all = Mono.zip(
            received(pair.toClient(), "x"),
            received(pair.toServer(), "x"),
            sent(pair.toServer(), "x", 0, 20_000).thenReturn(true),
            sent(pair.toClient(), "x", 1_000_000, 20_000).thenReturn(true))
        .block(Nodes.PATIENCE);

    assertEquals(longs(0, 20_000).collectList().block(), all.getT1());
    assertEquals(longs(1_000_000, 20_000).collectList().block(), all.getT2());
  }

  @Test
  void carriesManyStreamsAtOnceEachInItsOwnOrder() {
    Nodes.Pair pair = nodes.pair();
    int streams = 100;
    Mono<Void> sending = Flux.range(0, streams)
        .flatMap(i -> sent(pair.toServer(), "s" + i, i * 1000L, 1000), streams)
        .then();
    Mono<List<List<Long>>> receiving = Flux.range(0, streams)
        .flatMapSequential(i -> received(pair.toClient(), "s" + i), streams)
        .collectList();

    List<List<Long>> lists =
        Mono.zip(receiving, sending.thenReturn(true)).block(Nodes.PATIENCE).getT1();

    for (int i = 0; i < streams; i++) {
      assertEquals(longs(i * 1000L, 1000).collectList().block(), lists.get(i));
    }
  }

  @Test
  void acceptsValuesOfSourcesOnOtherThreads() {
    Nodes.Pair pair = nodes.pair();
    Flux<Long> elsewhere = longs(0, 20_000).publishOn(Schedulers.parallel(), 32);
    Mono<Void> sending = pair.toServer().send("numbers", Codecs.int64(), elsewhere);

    var both = Mono.zip(received(pair.toClient(), "numbers"), sending.thenReturn(true));

    assertEquals(
        longs(0, 20_000).collectList().block(), both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void completesASendAfterItWasReceived() {
    Nodes.Pair pair = nodes.pair();
    List<Long> emitted = new ArrayList<>();
    var done =
        sent(pair.toServer(), "late", 0, 10).doOnSuccess(x -> emitted.add(-1L)).toFuture();
    pair.toServer().send("other", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
    assertEquals(List.of(), emitted, "before a subscription");

    List<Long> got = received(pair.toClient(), "late").block(Nodes.PATIENCE);

    assertEquals(longs(0, 10).collectList().block(), got);
    await().until(done::isDone);
  }

  @Test
  void nameIsReusableAfterTheEndOfItsStream() {
    Nodes.Pair pair = nodes.pair();
    for (int round = 0; round < 50; round++) {
      var both = Mono.zip(
          received(pair.toClient(), "again"),
          sent(pair.toServer(), "again", round, 10).thenReturn(true));
      assertEquals(
          longs(round, 10).collectList().block(), both.block(Nodes.PATIENCE).getT1());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 95, 96, 97, 4096, 65_535, 262_144})
  void carriesMessagesOfAnySizeUpToTheLimit(int size) {
    Nodes.Pair pair = nodes.pair();
    byte[] message = new byte[size];
    new Random(size).nextBytes(message);
    Mono<Void> sending =
        pair.toServer().send("bytes", Codecs.bytes(), Flux.range(0, 50).map(i -> message));
    List<byte[]> got = Mono.zip(
            pair.toClient().receive("bytes", Codecs.bytes()).collectList(),
            sending.thenReturn(true))
        .block(Nodes.PATIENCE)
        .getT1();

    assertEquals(50, got.size());
    got.forEach(bytes -> assertArrayEquals(message, bytes));
  }

  @Test
  @Tag("RV5")
  void largestMessagesFlowWithoutSpinning() {
    Nodes.Pair pair = nodes.pair(config -> config.maxSpin(java.time.Duration.ZERO));
    byte[] message = new byte[262_144];
    Mono<Void> sending =
        pair.toServer().send("bytes", Codecs.bytes(), Flux.range(0, 400).map(i -> message));

    StepVerifier.create(pair.toClient()
            .receive("bytes", Codecs.bytes())
            .count()
            .zipWith(sending.thenReturn(true)))
        .assertNext(t -> assertEquals(400, t.getT1()))
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void nodeCanConnectToItself() {
    Node node = nodes.start("narcissus");
    Nodes.Pair pair = nodes.connect(node, node);
    var both = Mono.zip(
        received(pair.toClient(), "self"),
        sent(pair.toServer(), "self", 0, 1000).thenReturn(true));

    assertEquals(
        longs(0, 1000).collectList().block(), both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void streamCanBeRelayedFromOnePeerToAnother() {
    Nodes.Pair first = nodes.pair();
    Nodes.Pair second = nodes.connect(nodes.start("end"), nodes.start("middle"));
    Mono<Void> source = sent(first.toServer(), "leg", 0, 20_000);
    Mono<Void> relay = second
        .toServer()
        .send("leg", Codecs.int64(), first.toClient().receive("leg", Codecs.int64()));

    var all = Mono.zip(
        received(second.toClient(), "leg"), source.thenReturn(true), relay.thenReturn(true));

    assertEquals(
        longs(0, 20_000).collectList().block(), all.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void manyPeersStreamToOneNodeAtOnce() {
    Node server = nodes.start("hub");
    String address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
    List<Nodes.Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pairs.add(nodes.join(server, nodes.start("spoke-" + i), address));
    }
    List<List<Long>> lists = Flux.fromIterable(pairs)
        .flatMapSequential(pair -> received(pair.toClient(), "n")
            .zipWith(sent(pair.toServer(), "n", 7, 5000).thenReturn(true))
            .map(t -> t.getT1()))
        .collectList()
        .block(Nodes.PATIENCE);

    assertEquals(5, lists.size());
    lists.forEach(list -> assertEquals(longs(7, 5000).collectList().block(), list));
  }
}
