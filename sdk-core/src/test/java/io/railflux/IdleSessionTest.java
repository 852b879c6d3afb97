package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/** Sessions over sockets that were idle for longer than the partition bound. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Tag("D12")
@Tag("FT5")
@Tag("deep")
class IdleSessionTest {

  private static final Duration PARTITION = Duration.ofSeconds(4);
  private static final Route<Integer, Integer> ECHO =
      new Route<>("echo", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final Set<RailEvent.Kind> seen = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private Relay relay;
  private Peer toServer;

  private Node start(String name) {
    Node node = nodes.start(
        name, config -> config.fabrics(new TcpFabricProvider()).partitionTimeout(PARTITION));
    node.railEvents().subscribe(event -> seen.add(event.kind()));
    return node;
  }

  @BeforeEach
  void idle() throws IOException {
    Node server = start("server");
    server.respond(ECHO, Mono::just);
    String bound = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    relay = new Relay(Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1)));
    toServer = start("client").connect(relay.address()).block(Nodes.PATIENCE);
    Mono.delay(PARTITION.plusSeconds(1)).block();
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
  }

  @Test
  void sessionContinuesAfterAResetOfItsConnection() throws IOException {
    relay.partition();
    heal();
  }

  @Test
  void sessionContinuesAfterSilenceOfItsConnection() throws IOException {
    relay.mute();
    heal();
  }

  private void heal() throws IOException {
    awaitKinds(RailEvent.Kind.PAUSED, RailEvent.Kind.RETRYING);
    relay.heal();
    awaitKinds(RailEvent.Kind.RESUMED);
    assertEquals(7, toServer.request(ECHO, 7).block(Nodes.PATIENCE));
  }

  private void awaitKinds(RailEvent.Kind... kinds) {
    Awaitility.await().atMost(Nodes.PATIENCE).until(() -> seen.containsAll(List.of(kinds)));
  }
}
