package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Addresses without a fabric: shared memory within this host, TCP to other hosts. */
class AutomaticChoiceTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node both(String name) {
    return nodes.start(
        name,
        config ->
            config.fabrics(new ShmFabricProvider(leaks.directory()), new TcpFabricProvider()));
  }

  private Node tcpOnly(String name) {
    return nodes.start(name, config -> config.fabrics(new TcpFabricProvider()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:0", "localhost:0", "[::1]:0"})
  void usesSharedMemoryOnThisHost(String address) {
    String bound = both("server").bind(address).block(Nodes.PATIENCE);
    Peer peer = both("client").connect(bound).block(Nodes.PATIENCE);

    assertTrue(peer.explain().contains("over shm#0 to process "), peer.explain());
    assertTrue(peer.explain().contains(" is this host\n"), peer.explain());
  }

  @Test
  void usesTcpIfThePeerHasNoSharedMemory() {
    String bound = tcpOnly("server").bind("127.0.0.1:0").block(Nodes.PATIENCE);
    Peer peer = both("client").connect(bound).block(Nodes.PATIENCE);

    assertTrue(peer.explain().contains("over tcp#1 to " + bound + " over tcp"), peer.explain());
    assertTrue(
        peer.explain().contains("no node listens at this name in shared memory"), peer.explain());
  }

  @Test
  void usesTcpIfThisNodeHasNoSharedMemory() {
    String bound = both("server").bind("localhost:0").block(Nodes.PATIENCE);
    Node client = tcpOnly("client");
    Peer peer = client.connect(bound).block(Nodes.PATIENCE);

    assertTrue(peer.explain().contains("this node has no shared memory"), peer.explain());
  }

  @Test
  void streamsFlowOverEitherFabric() {
    Node server = both("server");
    String bound = server.bind("127.0.0.1:0").block(Nodes.PATIENCE);
    for (Node client : List.of(both("near"), tcpOnly("far"))) {
      Peer toServer = client.connect(bound).block(Nodes.PATIENCE);
      Peer toClient =
          server.peers().filter(p -> p.name().equals(client.name())).blockFirst(Nodes.PATIENCE);
      var got = Mono.zip(
              toClient.receive("n", Codecs.int32()).collectList(),
              toServer.send("n", Codecs.int32(), Flux.range(0, 1000)).thenReturn(true))
          .block(Nodes.PATIENCE);
      assertEquals(IntStream.range(0, 1000).boxed().toList(), got.getT1());
    }
  }

  @Test
  void reportsEveryAttempt() {
    Node client = both("client");
    StepVerifier.create(client.connect("127.0.0.1:1"))
        .expectErrorSatisfies(e -> {
          assertEquals(PeerUnreachableException.class, e.getClass());
          assertTrue(
              e.getMessage()
                  .matches(
                      "node 'client' cannot connect: shm:port-1-net-\\d+: no process listens at"
                          + " this path \\(.*\\); tcp:127\\.0\\.0\\.1:1: no process listens at this port"
                          + " \\(.*Connection refused\\); is the other node started\\?"),
              e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void reportsAnUnknownHostByName() {
    Node client = both("client");
    StepVerifier.create(client.connect("no-such-host.invalid:4711"))
        .expectErrorSatisfies(
            e -> assertTrue(e.getMessage().contains("no-such-host.invalid"), e.getMessage()))
        .verify(Nodes.PATIENCE);
  }
}
