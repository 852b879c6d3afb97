package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.policy.Balancing;
import io.railflux.policy.RemoteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** A place survives the nodes that live there. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RemoteTest {

  private static final Route<Integer, String> NAME =
      new Route<>("name", Codecs.int32(), Codecs.utf8());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node serve(String name, String address) {
    Node server = nodes.start(name);
    server.respond(NAME, number -> Mono.just(name + number));
    server.bind(address).block(Nodes.PATIENCE);
    return server;
  }

  @Test
  void connectsOnFirstUse() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    Mono<String> reply = remote.request(NAME, 1);
    serve("server", address);
    assertEquals("server1", reply.block(Nodes.PATIENCE));
  }

  @Test
  void aRequestWaitsForTheServerToAppear() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    Mono<String> reply = remote.request(NAME, 1).cache();
    reply.subscribe();
    remote.session().subscribe();
    serve("server", address);
    assertEquals("server1", reply.block(Nodes.PATIENCE));
  }

  @Test
  void requestsReachTheSuccessorOfAServer() {
    String address = nodes.newAddress();
    Node first = serve("first", address);
    Remote remote = nodes.start("client").remote(address);
    assertEquals("first1", remote.request(NAME, 1).block(Nodes.PATIENCE));
    Peer atFirst = remote.session().block(Nodes.PATIENCE);
    first.abort();
    // A request sent before the client sees the end of the session may have been handled, and
    // fails.
    atFirst.onClose().block(Nodes.PATIENCE);
    serve("second", address);
    assertEquals("second2", remote.request(NAME, 2).block(Nodes.PATIENCE));
  }

  @Test
  void theAddressIsFreeOnceTheServerDrains() {
    String address = nodes.newAddress();
    Node first = serve("first", address);
    Sinks.One<String> slow = Sinks.one();
    Route<Integer, String> waiting = new Route<>("waiting", Codecs.int32(), Codecs.utf8());
    first.respond(waiting, number -> slow.asMono());
    Remote remote = nodes.start("client").remote(address);
    Mono<String> underWay = remote.request(waiting, 1).cache();
    underWay.subscribe();
    Peer atFirst = remote.session().block(Nodes.PATIENCE);
    await().until(() -> remote.request(NAME, 0).block(Nodes.PATIENCE).equals("first0"));

    Mono<Void> drained = first.close().cache();
    drained.subscribe();
    atFirst.onClosing().block(Nodes.PATIENCE);
    serve("second", address);

    assertEquals("second1", remote.request(NAME, 1).block(Nodes.PATIENCE));
    slow.tryEmitValue("late").orThrow();
    assertEquals("late", underWay.block(Nodes.PATIENCE));
    drained.block(Nodes.PATIENCE);
  }

  @Test
  void aRequestUnderWayIsNotRepeatedUnlessItsRouteIsIdempotent() {
    String address = nodes.newAddress();
    AtomicInteger handled = new AtomicInteger();
    Route<Integer, String> never = new Route<>("never", Codecs.int32(), Codecs.utf8());
    Node first = nodes.start("first");
    first.respond(never, number -> {
      handled.incrementAndGet();
      return Mono.never();
    });
    first.bind(address).block(Nodes.PATIENCE);
    Remote remote = nodes.start("client").remote(address);
    Mono<String> once = remote.request(never, 1).cache();
    Mono<String> again = remote.request(never.asIdempotent(), 1).cache();
    once.onErrorComplete().subscribe();
    again.subscribe();
    await().untilAtomic(handled, org.hamcrest.Matchers.is(2));
    first.abort();
    first.onClose().block(Nodes.PATIENCE);
    Node second = nodes.start("second");
    second.respond(never, number -> Mono.just("second"));
    second.bind(address).block(Nodes.PATIENCE);

    assertEquals("second", again.block(Nodes.PATIENCE));
    PeerClosedException error =
        assertThrows(PeerClosedException.class, () -> once.block(Nodes.PATIENCE));
    assertEquals(false, error.isUnsent());
    assertEquals(2, handled.get());
  }

  @Test
  void aRepeatedRequestHasOnlyTheRestOfItsTime() {
    String address = nodes.newAddress();
    Route<Integer, String> never =
        new Route<>("never", Codecs.int32(), Codecs.utf8()).asIdempotent();
    Sinks.One<Integer> handled = Sinks.one();
    Node first = nodes.start("first");
    first.respond(never, number -> {
      handled.tryEmitValue(number);
      return Mono.never();
    });
    first.bind(address).block(Nodes.PATIENCE);
    int bound = 4_000;
    Mono<String> reply = nodes
        .start("client", config -> config.requestTimeout(Duration.ofMillis(bound)))
        .remote(address)
        .request(never, 1)
        .cache();
    reply.onErrorComplete().subscribe();
    handled.asMono().block(Nodes.PATIENCE);
    first.abort();
    first.onClose().block(Nodes.PATIENCE);
    Node second = nodes.start("second");
    second.respond(never, number -> Mono.never());
    second.bind(address).block(Nodes.PATIENCE);

    DeadlineExceededException error =
        assertThrows(DeadlineExceededException.class, () -> reply.block(Nodes.PATIENCE));
    Matcher millis = Pattern.compile("not answered within (\\d+) ms").matcher(error.getMessage());
    assertTrue(millis.find() && Integer.parseInt(millis.group(1)) < bound, error.getMessage());
    assertTrue(error.getMessage().contains("ms had passed before"), error.getMessage());
  }

  @Test
  void receivingGoesOnWithTheSuccessor() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    List<Integer> got = new CopyOnWriteArrayList<>();
    reactor.core.Disposable receiving =
        remote.receive("numbers", Codecs.int32()).subscribe(got::add);
    for (int generation = 1; generation <= 3; generation++) {
      Node server = nodes.start("server" + generation);
      int first = generation * 10;
      server
          .peers()
          .subscribe(peer -> peer.send(
                  "numbers", Codecs.int32(), Flux.range(first, 3).concatWith(Flux.never()))
              .onErrorComplete()
              .subscribe());
      server.bind(address).block(Nodes.PATIENCE);
      await().until(() -> got.contains(first + 2));
      server.abort();
      server.onClose().block(Nodes.PATIENCE);
    }
    assertEquals(List.of(10, 11, 12, 20, 21, 22, 30, 31, 32), got);
    receiving.dispose();
  }

  @Test
  void theProducersEndAndErrorEndTheReceiver() {
    String address = nodes.newAddress();
    Node server = nodes.start("server");
    server.peers().subscribe(peer -> {
      peer.send("ends", Codecs.int32(), Flux.just(1)).subscribe();
      peer.send("fails", Codecs.int32(), Flux.error(new IllegalStateException("broken")))
          .onErrorComplete()
          .subscribe();
    });
    server.bind(address).block(Nodes.PATIENCE);
    Remote remote = nodes.start("client").remote(address);
    StepVerifier.create(remote.receive("ends", Codecs.int32()))
        .expectNext(1)
        .expectComplete()
        .verify(Nodes.PATIENCE);
    StepVerifier.create(remote.receive("fails", Codecs.int32()))
        .expectErrorMatches(error -> error.getMessage().contains("broken"))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void balancesOverInstancesAndLeavesOneThatDrains() {
    String[] addresses = {nodes.newAddress(), nodes.newAddress()};
    Node a = serve("a", addresses[0]);
    serve("b", addresses[1]);
    Remote remote = nodes
        .start("client")
        .remote(
            String.join(",", addresses),
            RemoteOptions.DEFAULT.balancing(Balancing.LEAST_OUTSTANDING));
    Set<String> answered = ConcurrentHashMap.newKeySet();
    await().until(() -> {
      answered.add(remote.request(NAME, 1).block(Nodes.PATIENCE));
      return answered.equals(Set.of("a1", "b1"));
    });
    a.close().block(Nodes.PATIENCE);
    for (int i = 0; i < 10; i++) {
      assertEquals("b2", remote.request(NAME, 2).block(Nodes.PATIENCE));
    }
  }

  @Test
  void failsAtOnceWhereNobodyIsIfToldSo() {
    Remote remote =
        nodes.start("client").remote(nodes.newAddress(), RemoteOptions.DEFAULT.failingFast());
    assertThrows(
        PeerUnreachableException.class, () -> remote.request(NAME, 1).block(Nodes.PATIENCE));
  }

  @Test
  void receivingOutlastsFailuresEvenIfRequestsFailAtOnce() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address, RemoteOptions.DEFAULT.failingFast());
    Mono<Integer> first = remote.receive("numbers", Codecs.int32()).next().cache();
    first.subscribe(number -> {}, error -> {});
    assertThrows(
        PeerUnreachableException.class, () -> remote.request(NAME, 1).block(Nodes.PATIENCE));
    Node server = nodes.start("server");
    server.publish("numbers", Codecs.int32(), peer -> Flux.just(7));
    server.bind(address).block(Nodes.PATIENCE);
    assertEquals(7, first.block(Nodes.PATIENCE));
  }

  @Test
  void theTimeToLiveBoundsTheWaitForASession() {
    Remote remote = nodes.start("client").remote(nodes.newAddress());
    Envelope<Integer> request = Envelope.of(1).withTimeToLive(Duration.ofMillis(100));
    PeerUnreachableException error = assertThrows(
        PeerUnreachableException.class, () -> remote.request(NAME, request).block(Nodes.PATIENCE));
    assertTrue(error.getMessage().contains("was not reachable within"), error.getMessage());
  }

  @Test
  void explainsWhyThereIsNoSession() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    assertEquals(remote.toString(), remote.explain());
    remote.session().subscribe(session -> {}, error -> {});
    await().until(() -> remote.explain().contains("'" + address + "' attempt "));
    serve("server", address);
    await().until(() -> remote.explain().contains("'" + address + "' connected to Peer 'server'"));
  }

  @Test
  void emitsEverySession() {
    String address = nodes.newAddress();
    Node first = serve("first", address);
    Remote remote = nodes.start("client").remote(address);
    List<String> names = new CopyOnWriteArrayList<>();
    remote.sessions().map(Peer::name).subscribe(names::add);
    await().until(() -> names.equals(List.of("first")));
    first.abort();
    first.onClose().block(Nodes.PATIENCE);
    serve("second", address);
    await().until(() -> names.equals(List.of("first", "second")));
  }

  @Test
  void closingEndsItsSessionsAndWaits() {
    String address = nodes.newAddress();
    serve("server", address);
    Node client = nodes.start("client");
    Remote remote = client.remote(address);
    Peer session = remote.session().block(Nodes.PATIENCE);
    Mono<Void> completed = remote.sessions().then().cache();
    completed.subscribe();
    remote.close().block(Nodes.PATIENCE);
    session.onClose().block(Nodes.PATIENCE);
    completed.block(Nodes.PATIENCE);
    assertThrows(NodeClosedException.class, () -> remote.request(NAME, 1).block(Nodes.PATIENCE));
    remote.close().block(Nodes.PATIENCE);
  }

  @Test
  void theEndOfItsNodeEndsIt() {
    Node client = nodes.start("client");
    Remote remote = client.remote(nodes.newAddress());
    Mono<String> waiting = remote.request(NAME, 1).cache();
    waiting.onErrorComplete().subscribe();
    client.close().block(Nodes.PATIENCE);
    assertThrows(NodeClosedException.class, () -> waiting.block(Nodes.PATIENCE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "127.0.0.1:abc",
        "http://localhost:80",
        "tcp://127.0.0.1:80",
        "*:15521",
        "tcp:127.0.0.1:0",
        "127.0.0.1:15520,shm:a"
      })
  void addressesThatNeverConnectFailAtOnce(String addresses) {
    Node client = nodes.start("client");
    assertThrows(IllegalArgumentException.class, () -> client.remote(addresses));
    assertThrows(
        IllegalArgumentException.class, () -> client.connect(addresses).block(Nodes.PATIENCE));
  }

  @Test
  void anUnopenedFabricFailsAtOnce() {
    Node client = nodes.start("client");
    assertThrows(FabricUnavailableException.class, () -> client.remote("foo:bar"));
  }
}
