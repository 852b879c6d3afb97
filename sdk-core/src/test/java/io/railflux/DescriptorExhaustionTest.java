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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process with a limit of 64 open files, all of which are in use. Its sessions continue, and new peers are rejected.
 */
class DescriptorExhaustionTest {

  private static final int LIMIT = 64;

  private static final String SHORTAGE =
      "too many open files; raise the limit: ulimit -n, or LimitNOFILE= of a systemd service";

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
    limited = LimitedProcess.withDescriptors(LIMIT, leaks.directory(), "limited");
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
  }

  private void assertRejected(String address) {
    Node newcomer = start("newcomer");
    PeerUnreachableException refused = assertThrows(
        PeerUnreachableException.class, () -> newcomer.connect(address).block(Nodes.PATIENCE));
    assertTrue(refused.getMessage().contains(SHORTAGE), refused.getMessage());
    await().atMost(Nodes.PATIENCE).until(() -> limited.count("WARN", SHORTAGE) == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm:limited", "tcp:127.0.0.1:0"})
  void sessionsContinueAndNewPeersAreRejectedWithoutDescriptors(String location) throws Exception {
    String address = startLimited(location);
    Peer peer = start("client").connect(address).block(Nodes.PATIENCE);
    assertWorks(peer);

    assertEquals("exhausted", limited.ask("descriptors"));
    assertWorks(peer);
    assertRejected(address);
    assertWorks(peer);

    assertEquals("done", limited.ask("free"));
    assertWorks(start("another").connect(address).block(Nodes.PATIENCE));
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
      assertEquals("exhausted", limited.ask("descriptors"));
      relay.cut(0);
      await()
          .atMost(Nodes.PATIENCE)
          .until(() -> events.stream().anyMatch(e -> e.kind() == Kind.RESUMED));
      assertWorks(peer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm:server", "tcp:127.0.0.1:0"})
  void connectingNodeReportsTheMissingResource(String location) throws Exception {
    startLimited(location.replace("server", "limited"));
    String address = start("server").bind(location).block(Nodes.PATIENCE);
    assertEquals("exhausted", limited.ask("descriptors"));
    String answer = limited.ask("connect " + address);
    assertTrue(answer.contains(SHORTAGE), answer);
    assertEquals("done", limited.ask("free"));
    assertEquals("server", limited.ask("connect " + address));
  }
}
