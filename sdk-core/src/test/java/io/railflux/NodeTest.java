package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.message.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Configuration, addresses and life cycle of a node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NodeTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void verifyError(Mono<?> mono, Class<? extends Throwable> type) {
    StepVerifier.create(mono).expectError(type).verify(Nodes.PATIENCE);
  }

  @Test
  void unavailableFabricIsReportedWithReasonAndRemedy() {
    Path nowhere = Path.of("/nowhere/at/all");
    StepVerifier.create(
            nodes.config("n").fabrics(new ShmFabricProvider(nowhere)).start())
        .expectErrorSatisfies(e -> {
          assertInstanceOf(FabricUnavailableException.class, e);
          assertTrue(e.getMessage().contains("/nowhere"), e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void eachSubscriptionOfStartStartsANode() {
    Node first = nodes.start("same");
    Node second = nodes.start("same");
    Nodes.Pair pair = nodes.connect(first, second);

    assertEquals("same", pair.toServer().name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shm", "shm:", ":x", "shm: ", "shm:a b", "shm:a/b"})
  void rejectsAMalformedAddress(String address) {
    Node node = nodes.start("n");
    StepVerifier.create(node.bind(address)).expectError().verify(Nodes.PATIENCE);
    StepVerifier.create(node.connect(address)).expectError().verify(Nodes.PATIENCE);
  }

  @Test
  void errorNamesAnUnknownFabric() {
    Node node = nodes.start("n");
    StepVerifier.create(node.connect("carrier-pigeon:roof"))
        .expectErrorSatisfies(e -> {
          assertInstanceOf(FabricUnavailableException.class, e);
          assertTrue(e.getMessage().contains("carrier-pigeon"), e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void connectionWithoutAListenerFails() {
    Node node = nodes.start("n");
    StepVerifier.create(node.connect("shm:nobody-is-here"))
        .expectErrorSatisfies(e -> {
          assertInstanceOf(PeerUnreachableException.class, e);
          assertTrue(e.getMessage().contains("nobody-is-here"), e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void bindRejectsAMalformedAddressWithTheValidFormat() {
    StepVerifier.create(nodes.start("n").bind("nonsense"))
        .expectErrorSatisfies(e -> {
          assertInstanceOf(IllegalArgumentException.class, e);
          assertTrue(e.getMessage().contains("10.0.0.7:4711"), e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void nameIsBoundOnce() {
    Node first = nodes.start("first");
    Node second = nodes.start("second");
    String address = nodes.newAddress();
    assertEquals(address, first.bind(address).block(Nodes.PATIENCE));

    verifyError(second.bind(address), BindFailedException.class);
    verifyError(first.bind(address), BindFailedException.class);
    assertEquals("first", nodes.join(first, second, address).toServer().name());
  }

  @Test
  void closeOfANodeFreesItsName() {
    String address = nodes.newAddress();
    Node first = nodes.start("first");
    first.bind(address).block(Nodes.PATIENCE);
    first.close().block(Nodes.PATIENCE);
    Node second = nodes.start("second");

    await().untilAsserted(() -> assertEquals(address, second.bind(address).block(Nodes.PATIENCE)));
  }

  @Test
  void closedNodeReportsItsState() {
    Nodes.Pair pair = nodes.pair();
    Node node = pair.client();
    node.close().block(Nodes.PATIENCE);

    verifyError(node.connect("shm:x"), NodeClosedException.class);
    verifyError(node.bind("shm:x"), NodeClosedException.class);
    StepVerifier.create(pair.toServer().receive("n", Codecs.int32()))
        .expectError()
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().send("n", Codecs.int32(), Flux.just(1)))
        .expectError()
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().sendWithReceipts("n", Codecs.int32(), Flux.just(1)), 0)
        .thenRequest(1)
        .expectError()
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().receiveMessages("n"), 0)
        .thenRequest(1)
        .expectError()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void requestsAndCancellationsAfterTheEndHaveNoEffect() {
    Nodes.Pair pair = nodes.pair();
    StepVerifier.create(pair.toClient().receiveMessages("m").onErrorComplete(), 0)
        .then(() -> pair.server().abort())
        .then(() -> await().until(() -> pair.server().awaitEnd(TimeUnit.SECONDS.toNanos(5))))
        .thenRequest(5)
        .expectComplete()
        .verify(Nodes.PATIENCE);
    Flux<Message> late = pair.toClient().receiveMessages("m");
    StepVerifier.create(late, 0).thenRequest(1).expectError().verify(Nodes.PATIENCE);
    for (int i = 0; i < 5000; i++) {
      late.onErrorComplete().subscribe().dispose();
    }
  }

  @Test
  void emitsEarlierAndLaterPeers() {
    Node server = nodes.start("server");
    String address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
    nodes.join(server, nodes.start("early"), address);
    List<String> names = new CopyOnWriteArrayList<>();
    List<String> slow = new CopyOnWriteArrayList<>();
    AtomicBoolean completed = new AtomicBoolean();
    server.peers().map(Peer::name).doOnComplete(() -> completed.set(true)).subscribe(names::add);
    StepVerifier.create(server.peers().map(Peer::name).doOnNext(slow::add), 0)
        .then(() -> nodes.join(server, nodes.start("late"), address))
        .then(() -> await().until(() -> names.equals(List.of("early", "late"))))
        .then(() -> assertEquals(List.of(), slow))
        .thenRequest(1)
        .expectNext("early")
        .thenRequest(1)
        .expectNext("late")
        .thenCancel()
        .verify(Nodes.PATIENCE);

    server.close().block(Nodes.PATIENCE);
    await().untilTrue(completed);
  }

  @Test
  void peersOfAClosedNodeCompletesEmpty() {
    Node server = nodes.start("server");
    server.close().block(Nodes.PATIENCE);

    StepVerifier.create(server.peers()).expectComplete().verify(Nodes.PATIENCE);
  }

  @Test
  void lostPeerIsNotEmittedToNewSubscribers() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().close().block(Nodes.PATIENCE);
    pair.toClient().onClose().block(Nodes.PATIENCE);

    StepVerifier.create(pair.server().peers())
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(100))
        .thenCancel()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void noMorePeersThanTheLimit() {
    Node server = nodes.start("server", config -> config.maxPeers(2));
    String address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
    Node client = nodes.start("client");
    Peer first = client.connect(address).block(Nodes.PATIENCE);
    client.connect(address).block(Nodes.PATIENCE);

    StepVerifier.create(client.connect(address))
        .expectErrorSatisfies(e -> {
          assertInstanceOf(PeerUnreachableException.class, e);
          assertTrue(
              e.getMessage()
                  .contains("node 'server' serves no more than 2 peers; raise Railflux.maxPeers"),
              e.getMessage());
        })
        .verify(Nodes.PATIENCE);
    first.close().block(Nodes.PATIENCE);
    await().untilAsserted(() -> client.connect(address).block(Nodes.PATIENCE));
  }

  @Test
  void smallerMessageLimitAppliesToBothSides() {
    Nodes.Pair pair = nodes.connect(
        nodes.start("server", config -> config.maxMessageBytes(1)),
        nodes.start("client", config -> config.maxMessageBytes(100)));
    assertEquals(1, pair.toServer().maxMessageBytes());
    assertEquals(1, pair.toClient().maxMessageBytes());

    var both = Mono.zip(
        pair.toClient().receive("a stream with a name", Codecs.int8()).collectList(),
        pair.toServer()
            .send("a stream with a name", Codecs.int8(), Flux.just((byte) 3))
            .thenReturn(true));
    assertEquals(List.of((byte) 3), both.block(Nodes.PATIENCE).getT1());
    pair.toServer().close().block(Nodes.PATIENCE);
  }

  @Test
  void noMoreStreamsThanTheLimit() {
    Nodes.Pair pair = nodes.pair(config -> config.maxStreams(3));
    for (int i = 0; i < 3; i++) {
      pair.toServer().send("s" + i, Codecs.int32(), Flux.never()).subscribe(x -> {}, e -> {});
    }
    StepVerifier.create(pair.toServer().send("s3", Codecs.int32(), Flux.just(1)))
        .expectErrorSatisfies(e -> assertTrue(e.getMessage().contains("3 streams"), e.getMessage()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void cancelledStartLeavesNoNode() {
    CompletableFuture<Disposable> start = new CompletableFuture<>();
    var cancelling = new SimpleMeterRegistry();
    cancelling.config().meterFilter(new MeterFilter() {
      @Override
      public MeterFilterReply accept(Meter.Id id) {
        start.join().dispose();
        return MeterFilterReply.NEUTRAL;
      }
    });
    Mono<Node> node = nodes.config("n").meterRegistry(cancelling).start();

    start.complete(node.subscribeOn(Schedulers.boundedElastic())
        .subscribe(started -> fail("cancelled by the test")));

    await().until(() -> start.join().isDisposed());
    await().until(() -> LeakCheck.engineThreads().isEmpty());
  }

  @Test
  void failedStartLeavesNothing() {
    var broken = new SimpleMeterRegistry();
    broken.config().meterFilter(new MeterFilter() {
      @Override
      public MeterFilterReply accept(Meter.Id id) {
        throw new IllegalStateException("broken");
      }
    });
    verifyError(nodes.config("n").meterRegistry(broken).start(), IllegalStateException.class);
  }

  @Test
  void defaultDirectoryIsSharedMemory() {
    Node node = Railflux.create().drainOnShutdown(false).start().block(Nodes.PATIENCE);
    assertTrue(node.name().startsWith("railflux-"));
    node.close().block(Nodes.PATIENCE);
  }

  @Test
  void closeCompletesAfterTheEndOfTheThread() throws InterruptedException {
    Nodes.Pair pair = nodes.pair();
    pair.server().close().block(Nodes.PATIENCE);

    assertTrue(pair.server().awaitEnd(0));
  }

  @Test
  void configurationIsImmutable() {
    Railflux one = nodes.config("one");
    Railflux two = one.name("two");
    assertTrue(one.toString().contains("one"));
    assertTrue(two.toString().contains("two"));
  }
}
