package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.HeapSnapshot;
import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The engine over this fabric: handshake, rings by one-sided writes, wake-up and end. */
class NodesOverDisniTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MESSAGE_BYTES = 6 << 20;

  /** More than the windows of a session, less than a message. */
  private static final int LARGE_BYTES = 5 << 20;

  /**
   * Classes whose memory is accounted. The pools account for the memory that they keep, and the cache of registrations
   * has a bound in bytes per rail. The simulated device refers to registered memory.
   */
  private static final Set<String> ACCOUNTED = Set.of(
      "io.railflux.buffer.BufferPool",
      "io.railflux.buffer.RegistrationCache",
      "io.railflux.fabric.disni.FakePd",
      "io.railflux.fabric.disni.FakeMr");

  private static final String ADDRESS = "disni:10.0.0.1:7000";

  private final FakeRdma rdma = FakeRdma.install();
  private Node server;
  private Node client;
  private Peer toServer;
  private Peer toClient;

  @BeforeEach
  void connect() {
    server = start("server");
    client = start("client");
    server.bind(ADDRESS).block(PATIENCE);
    toServer = client.connect(ADDRESS).block(PATIENCE);
    toClient = server.peers().blockFirst(PATIENCE);
  }

  private static Node start(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(FakeFixture.PROVIDER)
        .allowUnauthenticated()
        .start()
        .block(PATIENCE);
  }

  @AfterEach
  void close() {
    client.close().then(server.close()).block(PATIENCE);
    Awaitility.await().untilAsserted(() -> assertTrue(rdma.isClean(), rdma::leaks));
    rdma.close();
  }

  @Test
  void streamsArriveCompletelyAndInOrder() {
    List<String> messages =
        IntStream.range(0, 20_000).mapToObj(i -> "message " + i).toList();
    var received = toClient.receive("numbers", Codecs.utf8()).collectList().toFuture();
    toServer.send("numbers", Codecs.utf8(), Flux.fromIterable(messages)).block(PATIENCE);
    assertEquals(messages, received.join());
  }

  @Test
  void sleepingPeerIsWokenForEachMessage() {
    var received = toClient.receive("ticks", Codecs.utf8()).collectList().toFuture();
    Flux<String> ticks =
        Flux.range(0, 20).delayElements(Duration.ofMillis(10)).map(i -> "tick " + i);
    toServer.send("ticks", Codecs.utf8(), ticks).block(PATIENCE);
    assertEquals(20, received.join().size());
  }

  /** Also while both nodes and the peers are in use. */
  @Test
  void memoryOfReceivedLargeMessagesIsReleased() {
    var received = toClient.receive("large", Codecs.bytes()).count().toFuture();
    Flux<byte[]> messages = Flux.range(0, 5).map(i -> new byte[MESSAGE_BYTES]);
    toServer.send("large", Codecs.bytes(), messages).block(PATIENCE);

    assertEquals(5, received.join());
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertEquals(List.of(), HeapSnapshot.take().largeMemory(LARGE_BYTES, ACCOUNTED)));
    assertEquals("client", toClient.name());
    assertEquals("server", toServer.name());
  }
}
