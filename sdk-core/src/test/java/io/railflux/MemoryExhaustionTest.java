package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process whose direct memory is exhausted to the last byte. Its sessions continue, and new peers are rejected. */
class MemoryExhaustionTest {

  private static final int LIMIT_MIB = 16;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private LimitedProcess limited;

  @AfterEach
  void end() {
    if (limited != null) {
      limited.close();
    }
  }

  private String startLimited(String location) throws Exception {
    limited = LimitedProcess.withDirectMemory(LIMIT_MIB, leaks.directory(), "limited");
    limited.expect("started");
    return limited.ask("bind " + location);
  }

  private Node start(String name) {
    return nodes.start(
        name,
        config -> config
            .fabrics(new ShmFabricProvider(leaks.directory()), new TcpFabricProvider())
            .detectWithin(LimitedNode.DETECT_WITHIN));
  }

  private static void assertWorks(Peer peer) {
    assertEquals(1_000, peer.request(LimitedNode.LENGTH, new byte[1_000]).block(Nodes.PATIENCE));
    assertEquals(
        IntStream.range(0, 1_000).boxed().toList(),
        peer.requestStream(LimitedNode.NUMBERS, 1_000).collectList().block(Nodes.PATIENCE));
  }

  private void assertRejected(String address) {
    Node newcomer = start("newcomer");
    PeerUnreachableException refused = assertThrows(
        PeerUnreachableException.class, () -> newcomer.connect(address).block(Nodes.PATIENCE));
    String expected =
        "node 'limited' has no memory for another peer: direct memory " + LIMIT_MIB + " MiB of "
            + LIMIT_MIB + " MiB is in use; raise -XX:MaxDirectMemorySize or lower ringBytes";
    assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    await()
        .atMost(Nodes.PATIENCE)
        .until(() -> limited.count("WARN", "Refusals", "refused", expected) == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm:limited", "tcp:127.0.0.1:0"})
  void sessionsContinueAndNewPeersAreRejectedWithoutMemory(String location) throws Exception {
    String address = startLimited(location);
    Node client = start("client");
    List<RailEvent> events = new CopyOnWriteArrayList<>();
    client.railEvents().subscribe(events::add);
    Peer peer = client.connect(address).block(Nodes.PATIENCE);
    assertWorks(peer);

    assertEquals("exhausted", limited.ask("memory"));
    assertWorks(peer);
    assertRejected(address);
    assertWorks(peer);
    assertEquals(0, events.stream().filter(e -> e.kind() == Kind.LOST).count(), events::toString);

    assertEquals("done", limited.ask("free"));
    Peer another = start("another").connect(address).block(Nodes.PATIENCE);
    assertWorks(another);
    assertWorks(peer);
  }

  @Test
  void sessionResumesAfterTheLossOfItsRail() throws Exception {
    String bound = startLimited("tcp:127.0.0.1:0");
    try (Relay relay = new Relay(Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1)))) {
      Node client = start("client");
      List<RailEvent> events = new CopyOnWriteArrayList<>();
      client.railEvents().subscribe(events::add);
      Peer peer = client.connect(relay.address()).block(Nodes.PATIENCE);
      assertWorks(peer);
      assertEquals("exhausted", limited.ask("memory"));
      for (int cut = 0; cut < 3; cut++) {
        events.clear();
        relay.cut(relay.connections() - 1);
        await()
            .atMost(Nodes.PATIENCE)
            .until(() -> events.stream().anyMatch(e -> e.kind() == Kind.RESUMED));
        assertWorks(peer);
      }
      assertRejected(bound);
      assertWorks(peer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm:server", "tcp:127.0.0.1:0"})
  void connectingNodeReportsTheMissingMemory(String location) throws Exception {
    startLimited("tcp:127.0.0.1:0");
    Node server = start("server");
    String address = server.bind(location).block(Nodes.PATIENCE);
    assertEquals("exhausted", limited.ask("memory"));
    String answer = limited.ask("connect " + address);
    String expected = "direct memory " + LIMIT_MIB + " MiB of " + LIMIT_MIB
        + " MiB is in use; raise -XX:MaxDirectMemorySize";
    assertTrue(answer.contains(expected), answer);
    assertEquals("done", limited.ask("free"));
    assertEquals("server", limited.ask("connect " + address));
  }
}
