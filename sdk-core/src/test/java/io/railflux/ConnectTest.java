package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Connections to several addresses, and connection attempts that are cancelled or whose node closes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConnectTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node server;
  private Node client;
  private String address;
  private final AtomicBoolean held = new AtomicBoolean();

  @BeforeEach
  void bind() {
    server = nodes.start("server");
    client = nodes.start("client");
    address = nodes.newAddress();
    server.bind(address).block(Nodes.PATIENCE);
  }

  /** Makes the server answer no connection until it is released. */
  private void hold() {
    held.set(true);
    AtomicBoolean holding = new AtomicBoolean();
    server.engine().execute(() -> {
      holding.set(true);
      while (held.get()) {
        // BlockHound considers onSpinWait a blocking call.
      }
    });
    await().untilTrue(holding);
  }

  private static int sessions(Node node) {
    return Mono.<Integer>create(sink ->
            node.engine().execute(() -> sink.success(node.engine().channels().size())))
        .block(Nodes.PATIENCE);
  }

  private void assertNoSessionLeft() {
    awaitSessions(0);
  }

  /** Waits for less time than a side without rails waits for the other. */
  private void awaitSessions(int count) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(10))
        .until(() -> sessions(client) == count && sessions(server) == count);
  }

  /** When a later connection is established, an earlier one is established as well, or never will be. */
  private void assertNoSessionButANewOne() {
    Peer toServer = client.connect(address).block(Nodes.PATIENCE);
    awaitSessions(1);
    Peer toClient = server.peers().blockFirst(Nodes.PATIENCE);
    var both = Mono.zip(
        toClient.receive("alive", Codecs.int32()).collectList(),
        toServer.send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void addressesAreTriedInOrderAndLateOnesJoin() {
    String later = nodes.newAddress();
    Peer peer = client.connect(later + "," + address).block(Nodes.PATIENCE);
    assertEquals("server", peer.name());
    long oneRing = rings();

    server.bind(later).block(Nodes.PATIENCE);

    await().until(() -> rings() == 2 * oneRing);
    assertEquals(1, sessions(client));
  }

  /** The port is open, but never answers. */
  @Test
  void silentAddressDoesNotDelayTheNextOne() throws IOException {
    Node node = nodes.start(
        "both",
        config ->
            config.fabrics(new TcpFabricProvider(), new ShmFabricProvider(leaks.directory())));
    try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      String addresses = "tcp:127.0.0.1:" + mute.getLocalPort() + "," + server();
      // Shorter than the time limit of a handshake.
      Peer peer = node.connect(addresses).block(Duration.ofSeconds(8));
      assertEquals("server", peer.name());
    }
  }

  /** Starts a node that also listens over TCP. */
  private String server() {
    Node tcp = nodes.start("server", config -> config.fabrics(new TcpFabricProvider()));
    return tcp.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
  }

  /** Addresses of one list belong to one peer: the first node that answers is that peer. */
  @Test
  void firstAnsweringNodeOfAListIsThePeer() {
    Node other = nodes.start("other");
    String second = other.bind(nodes.newAddress()).block(Nodes.PATIENCE);
    hold();
    Peer peer = client.connect(address + "," + second).block(Nodes.PATIENCE);
    assertEquals("other", peer.name());
    held.set(false);

    // The held node is retried repeatedly, but never becomes the peer.
    Route<Integer, Integer> echo = new Route<>("echo", Codecs.int32(), Codecs.int32());
    other.respond(echo, Mono::just);
    assertEquals(0, sessions(server));
    assertEquals(7, peer.request(echo, 7).block(Nodes.PATIENCE));
    await().during(Duration.ofMillis(500)).until(() -> sessions(server) == 0);
    assertEquals(1, sessions(other));
  }

  @Test
  void firstNodeOfAListIsThePeerIfItAnswers() {
    String second = nodes.start("other").bind(nodes.newAddress()).block(Nodes.PATIENCE);

    assertEquals(
        "server", client.connect(address + "," + second).block(Nodes.PATIENCE).name());
  }

  /** Returns the bytes that the only peer of the client granted over all its rails. */
  private long rings() {
    return Mono.<Long>create(sink -> client
            .engine()
            .execute(() ->
                sink.success(client.engine().channels().get(0).readings().ringCapacityBytes())))
        .block(Nodes.PATIENCE);
  }

  @Test
  void cancellationDuringSilenceOfThePeerLeavesNoSession() {
    hold();
    AtomicReference<Object> signal = new AtomicReference<>();
    Disposable connecting = client.connect(address).subscribe(signal::set, signal::set);
    sessions(client);
    connecting.dispose();
    held.set(false);

    assertNoSessionButANewOne();
    assertNull(signal.get());
  }

  @Test
  void timeoutOfTheUserLeavesNoSession() {
    hold();
    StepVerifier.create(client.connect(address).timeout(Duration.ofMillis(50)))
        .expectError(TimeoutException.class)
        .verify(Nodes.PATIENCE);
    held.set(false);

    assertNoSessionButANewOne();
  }

  @Test
  void cancelledConnectionIsNotStarted() {
    client.connect(address).subscribe().dispose();

    assertNoSessionButANewOne();
  }

  @Test
  void unrequestedPeerEndsWithItsSubscription() {
    StepVerifier.create(client.connect(address), 0)
        .then(() -> await().until(() -> sessions(client) == 1))
        .thenCancel()
        .verify(Nodes.PATIENCE);

    assertNoSessionLeft();
  }

  /** Keeps the received value, whether or not it was cancelled. */
  private static final class Holder extends AtomicReference<Peer> implements CoreSubscriber<Peer> {

    private static final long serialVersionUID = 1;
    private transient Subscription subscription;

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(1);
    }

    @Override
    public void onNext(Peer peer) {
      set(peer);
    }

    @Override
    public void onError(Throwable t) {}

    @Override
    public void onComplete() {}
  }

  /** The time of the cancellation approaches the time of the session from both sides. */
  @Test
  void cancellationInARaceWithTheSessionLeavesAPeerOrNothing() {
    int rounds = 200;
    int won = 0;
    long delayNanos = 1_000_000;
    for (int round = 0; round < rounds; round++) {
      Holder got = new Holder();
      client.connect(address).subscribe(got);
      LockSupport.parkNanos(delayNanos);
      got.subscription.cancel();
      delayNanos = got.get() == null ? delayNanos * 5 / 4 : delayNanos * 4 / 5;
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> sessions(client) == (got.get() == null ? 0 : 1));
      if (got.get() != null) {
        won++;
        got.get().abort();
      }
      assertNoSessionLeft();
    }
    assertTrue(won > 0 && won < rounds, won + " of " + rounds);
  }

  @Test
  void closeOfANodeFailsItsPendingConnections() {
    hold();
    var connecting = client.connect(address).toFuture();
    sessions(client);
    client.close().block(Nodes.PATIENCE);
    held.set(false);

    StepVerifier.create(Mono.fromFuture(connecting))
        .expectError(NodeClosedException.class)
        .verify(Nodes.PATIENCE);
    assertNoSessionLeft();
  }

  @Test
  void abortOfANodeFailsItsPendingConnections() {
    hold();
    var connecting = client.connect(address).toFuture();
    sessions(client);
    client.abort();
    client.onClose().block(Nodes.PATIENCE);
    held.set(false);

    StepVerifier.create(Mono.fromFuture(connecting))
        .expectError(NodeClosedException.class)
        .verify(Nodes.PATIENCE);
  }

  @Test
  void closingNodeAcceptsNoPeerAndLeavesItsAddressToASuccessor() {
    Nodes.Pair pair = nodes.join(server, client, address);
    Route<Integer, Integer> never = new Route<>("never", Codecs.int32(), Codecs.int32());
    AtomicBoolean asked = new AtomicBoolean();
    server.respond(never, n -> Mono.<Integer>never().doOnSubscribe(s -> asked.set(true)));
    pair.toServer().request(never, 1).subscribe(x -> {}, e -> {});
    await().untilTrue(asked);
    var closing = server.close().toFuture();
    sessions(server);

    Node late = nodes.start("late");
    StepVerifier.create(late.connect(address))
        .expectError(PeerUnreachableException.class)
        .verify(Nodes.PATIENCE);
    nodes.start("successor").bind(address).block(Nodes.PATIENCE);
    assertEquals("successor", late.connect(address).block(Nodes.PATIENCE).name());
    StepVerifier.create(server.bind(nodes.newAddress()))
        .expectError(NodeClosedException.class)
        .verify(Nodes.PATIENCE);
    StepVerifier.create(server.connect(address))
        .expectError(NodeClosedException.class)
        .verify(Nodes.PATIENCE);
    server.abort();
    closing.orTimeout(20, TimeUnit.SECONDS).join();
  }
}
