package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** One address with several connections. */
class SeveralConnectionsTest {

  private static final int COUNT = 3;
  private static final int MESSAGES = 200_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Relay relay;
  private Peer toServer;
  private Peer toClient;

  private Node start(String name) {
    return nodes.start(
        name,
        config -> config
            .fabrics(new ShmFabricProvider(leaks.directory()), new TcpFabricProvider())
            .connectionsPerRail(COUNT));
  }

  @BeforeEach
  void connect() throws IOException {
    Node server = start("server");
    String bound = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    relay = new Relay(Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1)));
    toServer = start("client").connect(relay.address()).block(Nodes.PATIENCE);
    toClient = server.peers().blockFirst(Nodes.PATIENCE);
    awaitRails(COUNT);
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
  }

  private void awaitRails(int count) {
    for (Peer peer : List.of(toServer, toClient)) {
      Awaitility.await().atMost(Nodes.PATIENCE).until(() -> rails(peer) == count);
    }
  }

  private static int rails(Peer peer) {
    return peer.explain().split("over tcp#", -1).length - 1;
  }

  @Test
  @Tag("MR1")
  @Tag("MR8")
  void streamSurvivesTheLossOfConnections() throws Exception {
    List<Integer> numbers = IntStream.range(0, MESSAGES).boxed().toList();
    CompletableFuture<List<Integer>> received = new CompletableFuture<>();
    toClient
        .receive("n", Codecs.int32())
        .doOnNext(n -> cutAfterAThird(n))
        .collectList()
        .subscribe(received::complete, received::completeExceptionally);
    toServer.send("n", Codecs.int32(), Flux.fromIterable(numbers)).block(Nodes.PATIENCE);

    assertEquals(numbers, received.get());
    awaitRails(COUNT);
    assertTrue(relay.connections() > COUNT, "no connection was re-established");
  }

  private void cutAfterAThird(int number) {
    if (number != 0 && number % (MESSAGES / 3) == 0) {
      try {
        relay.cut(number / (MESSAGES / 3) - 1);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void sharedMemoryHasOneConnection() {
    String bound = start("near").bind("shm:near").block(Nodes.PATIENCE);
    Peer peer = start("nearer").connect(bound).block(Nodes.PATIENCE);

    assertEquals(1, peer.explain().split("over shm#", -1).length - 1, peer.explain());
  }
}
