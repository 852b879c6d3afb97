package io.railflux;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Message;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The memory of a large message is released with the message. After any end of the message, no reference except those
 * of the node's pools leads to a buffer of its size, on either side. The test searches the whole heap from every root.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
@Tag("RV1")
class LargeMessageMemoryTest {

  private static final int MIB = 1 << 20;
  private static final int MESSAGE_BYTES = 6 * MIB;

  /** More than the windows of a session, less than a message. */
  private static final int LARGE_BYTES = 5 * MIB;

  /** More than the small buffers of the JDK, Netty and JUnit, less than a ring, a log or a window. */
  private static final int SESSION_BYTES = 3 * MIB / 2;

  /** Messages that share frames. */
  private static final Flux<Long> SMALL = Flux.range(0, 1_000).map(Integer::longValue);

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Classes whose memory is accounted: {@link Engine#largeMessageBytes} for loans, the budget for kept memory. */
  private static final Set<String> ACCOUNTED = Set.of("io.railflux.buffer.BufferPool");

  private static final Route<byte[], byte[]> ECHO =
      new Route<>("echo", Codecs.bytes(), Codecs.bytes());

  private static final SecretSource SECRET =
      SecretSource.callback(() -> "a secret of the tests, long enough");

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  /** The ways in which large messages are moved. */
  enum Way {
    SHM,
    SHM_WRITTEN,
    SHM_ENCRYPTED,
    TCP,
    TCP_ENCRYPTED;

    boolean isShm() {
      return this != TCP && this != TCP_ENCRYPTED;
    }

    boolean isEncrypted() {
      return this == SHM_ENCRYPTED || this == TCP_ENCRYPTED;
    }
  }

  private Railflux configured(Railflux config, Way way) {
    Railflux changed = config.fabrics(
        way.isShm() ? new ShmFabricProvider(leaks.directory()) : new TcpFabricProvider());
    if (way == Way.SHM_WRITTEN) {
      changed = changed.rendezvous(io.railflux.policy.Rendezvous.WRITE);
    }
    return way.isEncrypted() ? changed.secret(SECRET).encryption(Encryption.ALWAYS) : changed;
  }

  private Nodes.Pair pair(Way way) {
    Node server = nodes.start("server", config -> configured(config, way));
    Node client = nodes.start("client", config -> configured(config, way));
    return nodes.join(server, client, bind(server, way));
  }

  private String bind(Node server, Way way) {
    String address = way.isShm() ? "shm:" + server.name() : "tcp:127.0.0.1:0";
    return server.bind(address).block(Nodes.PATIENCE);
  }

  private static Flux<byte[]> arrays(int count) {
    return Flux.range(0, count).map(i -> new byte[MESSAGE_BYTES]);
  }

  private static Flux<ByteBuffer> buffers(int count) {
    return Flux.range(0, count).map(i -> ByteBuffer.allocateDirect(MESSAGE_BYTES));
  }

  /**
   * Memory that earlier test classes of this process left, by {@link HeapSnapshot.Piece#holder}. A holder in a static
   * field is outside the scope of these tests, so only an increase of a kind counts.
   */
  private static Map<String, Long> leftByOthers;

  @BeforeAll
  static void recordEarlierMemory() {
    List<HeapSnapshot.Piece> left = HeapSnapshot.take().largeMemory(SESSION_BYTES, ACCOUNTED);
    left.forEach(piece -> System.out.println("left by an earlier test: " + piece));
    leftByOthers = left.stream().collect(groupingBy(HeapSnapshot.Piece::holder, counting()));
  }

  /** Requires that only the pools reach memory of this size, and that nothing is lent. */
  private static void assertNothingHeld(int minBytes, Node... of) {
    await().atMost(LONG).untilAsserted(() -> {
      for (Node node : of) {
        assertEquals(0, node.engine().largeMessageBytes(), node + " has memory lent");
      }
    });
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertEquals(List.of(), heldSinceTheBegin(minBytes)));
  }

  private static List<HeapSnapshot.Piece> heldSinceTheBegin(int minBytes) {
    Map<String, Long> left = new HashMap<>(leftByOthers);
    return HeapSnapshot.take().largeMemory(minBytes, ACCOUNTED).stream()
        .filter(piece -> left.merge(piece.holder(), -1L, Long::sum) < 0)
        .toList();
  }

  private static void assertNothingHeld(Nodes.Pair pair) {
    assertNothingHeld(LARGE_BYTES, pair.server(), pair.client());
    // They are reachable during the whole test.
    assertTrue(!pair.toServer().name().isEmpty() && !pair.toClient().name().isEmpty());
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  @Tag("deep")
  void releasesMemoryOfATypedStream(Way way) {
    Nodes.Pair pair = pair(way);
    assertEquals(5L, sendValues(pair));

    assertNothingHeld(pair);
  }

  /** The publisher itself holds the last value. */
  private static long sendValues(Nodes.Pair pair) {
    Flux<byte[]> values = arrays(4).concatWith(Flux.just(new byte[MESSAGE_BYTES]));
    var received = pair.toClient().receive("values", Codecs.bytes()).count();
    var sent = pair.toServer().send("values", Codecs.bytes(), values);
    return Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  @Tag("deep")
  void releasesMemoryOfOwnedMessagesAndLentBuffers(Way way) {
    Nodes.Pair pair = pair(way);
    List<Message> closed = new ArrayList<>();
    var received = pair.toClient()
        .receiveMessages("messages")
        .doOnNext(message -> {
          assertEquals(MESSAGE_BYTES, message.payload().remaining());
          message.close();
          closed.add(message);
        })
        .count();
    var sent = pair.toServer().send("messages", Codecs.byteBuffer(), buffers(5));
    assertEquals(5L, Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1());

    assertNothingHeld(pair);
    assertEquals(5, closed.size());
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  void releasesMemoryOfRequestsAndReplies(Way way) {
    Nodes.Pair pair = pair(way);
    pair.server().respond(ECHO, Mono::just);
    for (int i = 0; i < 3; i++) {
      assertEquals(MESSAGE_BYTES, echoed(pair));
    }

    assertNothingHeld(pair);
  }

  private static int echoed(Nodes.Pair pair) {
    return pair.toServer().request(ECHO, new byte[MESSAGE_BYTES]).block(LONG).length;
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  @Tag("deep")
  void releasesMemoryOfAStreamCancelledByItsReceiver(Way way) {
    Nodes.Pair pair = pair(way);
    Mono<Void> sent =
        pair.toServer().send("endless", Codecs.byteBuffer(), buffers(1_000_000)).onErrorComplete();
    Flux<Message> received =
        pair.toClient().receiveMessages("endless").take(3).doOnNext(Message::close);
    Mono.zip(received.then(Mono.just(1)), sent.thenReturn(1)).block(LONG);

    assertNothingHeld(pair);
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  @Tag("deep")
  void releasesMemoryOfAStreamCancelledByItsSender(Way way) {
    Nodes.Pair pair = pair(way);
    AtomicInteger arrived = new AtomicInteger();
    Disposable.Swap sending = Disposables.swap();
    var hearing = pair.toClient()
        .receive("endless", Codecs.bytes())
        .doOnNext(bytes -> {
          if (arrived.incrementAndGet() == 3) {
            sending.dispose();
          }
        })
        .then()
        .onErrorComplete()
        .toFuture();
    sending.update(
        pair.toServer().send("endless", Codecs.bytes(), arrays(1_000_000)).subscribe());
    hearing.orTimeout(60, TimeUnit.SECONDS).join();

    assertNothingHeld(pair);
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  @Tag("deep")
  void releasesMemoryOfACancelledRequest(Way way) {
    Nodes.Pair pair = pair(way);
    AtomicInteger asked = new AtomicInteger();
    pair.server().respond(ECHO, body -> {
      asked.incrementAndGet();
      return Mono.just(body);
    });
    for (int i = 1; i <= 3; i++) {
      int count = i;
      askAndCancel(pair, () -> asked.get() >= count);
    }

    assertNothingHeld(pair);
  }

  private static void askAndCancel(Nodes.Pair pair, Callable<Boolean> arrived) {
    Disposable request = pair.toServer().request(ECHO, new byte[MESSAGE_BYTES]).subscribe();
    await().atMost(LONG).until(arrived);
    request.dispose();
  }

  /** The process is killed during messages in both directions. The survivor retains the {@link Peer}. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  @Tag("deep")
  void releasesMemoryOfADeadPeer(Way way) throws Exception {
    Node node = nodes.start("parent", config -> configured(config, way));
    String address = way.isShm() ? "shm:dies" : bind(node, way);
    String mode = way.isShm() ? "bind" : "connect";
    try (Child child = new Child(leaks.directory(), address, mode)) {
      child.expect("ready");
      Peer peer = way.isShm()
          ? node.connect(address).block(Nodes.PATIENCE)
          : node.peers().blockFirst(Nodes.PATIENCE);
      peer.send("up", Codecs.int64(), SMALL).block(LONG);
      AtomicInteger arrived = new AtomicInteger();
      var receiving = peer.receive("down-large", Codecs.bytes())
          .doOnNext(bytes -> arrived.incrementAndGet())
          .then()
          .onErrorComplete()
          .toFuture();
      var sending = peer.send("large", Codecs.bytes(), arrays(1_000_000))
          .onErrorComplete()
          .toFuture();
      child.expect("large " + MESSAGE_BYTES);
      await().atMost(LONG).until(() -> arrived.get() >= 3);
      child.kill();
      receiving.orTimeout(60, TimeUnit.SECONDS).join();
      sending.orTimeout(60, TimeUnit.SECONDS).join();
      peer.onClose().onErrorComplete().block(LONG);

      assertNothingHeld(SESSION_BYTES, node);
      assertEquals("child", peer.name());
    }
    // The next node removes the child's files in shared memory.
    nodes.start("cleaner", config -> configured(config, Way.SHM));
  }

  /** During messages in both directions. The test retains node and peers. */
  @ParameterizedTest
  @EnumSource(Way.class)
  @Tag("deep")
  void releasesMemoryOfAClosedNode(Way way) {
    Nodes.Pair pair = pair(way);
    var counted = pair.toClient().receive("small", Codecs.int64()).count();
    var sent = pair.toServer().send("small", Codecs.int64(), SMALL).thenReturn(true);
    assertEquals(1_000, Mono.zip(counted, sent).block(LONG).getT1());
    AtomicInteger arrived = new AtomicInteger();
    Codec<byte[]> bytes = Codecs.bytes();
    pair.server().respond(ECHO, body -> Mono.<byte[]>never());
    List<Mono<Void>> all = List.of(
        pair.toServer().send("there", bytes, arrays(1_000_000)),
        pair.toClient().send("back", Codecs.byteBuffer(), buffers(1_000_000)),
        pair.toClient()
            .receive("there", bytes)
            .doOnNext(message -> arrived.incrementAndGet())
            .then(),
        pair.toServer()
            .receive("back", bytes)
            .doOnNext(message -> arrived.incrementAndGet())
            .then(),
        Mono.defer(() -> pair.toServer().request(ECHO, new byte[MESSAGE_BYTES])).then());
    var ended = Flux.fromIterable(all).flatMap(Mono::onErrorComplete).then().toFuture();
    await().atMost(LONG).until(() -> arrived.get() >= 6);
    pair.client().abort();
    pair.toClient().onClose().onErrorComplete().block(LONG);
    pair.server().abort();
    ended.orTimeout(60, TimeUnit.SECONDS).join();

    assertNothingHeld(SESSION_BYTES, pair.server(), pair.client());
    assertTrue(!pair.toServer().name().isEmpty() && !pair.toClient().name().isEmpty());
  }

  /** One message to each of several peers in turn. The memory of one message serves the next. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SHM", "TCP"})
  @Tag("deep")
  void releasesMemoryOfMessagesBeyondTheBudgetToSeveralPeers(Way way) {
    Node client = nodes.start("client", config -> configured(config, way).sendBudgetBytes(MIB));
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Node server =
          nodes.start("server" + i, config -> configured(config, way).receiveBudgetBytes(MIB));
      server.peers().flatMap(peer -> peer.receive("one", Codecs.bytes())).subscribe();
      peers.add(client.connect(bind(server, way)).block(Nodes.PATIENCE));
    }
    for (Peer peer : peers) {
      peer.send("one", Codecs.bytes(), arrays(1)).block(LONG);
    }

    assertNothingHeld(LARGE_BYTES, client);

    assertEquals(3, peers.stream().map(Peer::name).distinct().count());
  }
}
