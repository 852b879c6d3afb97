package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.BindFailedException;
import io.railflux.fabric.tcp.TcpFabricProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

/** The addresses that a node may add as rails. {@link FoundRailsTest} tests their use. */
@Tag("MR12")
class AddedRailsTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node node;
  private String bound;

  @BeforeEach
  void bind() {
    node = nodes.start("server", config -> config.fabrics(new TcpFabricProvider()));
    bound = node.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shm:a",
        "10.1.0.7:4711",
        "tcp:*:4711",
        "tcp:0.0.0.0:4711",
        "tcp:10.1.0.7:0",
        "tcp:[fe80::1%eth0]:4711"
      })
  void acceptsAddressesOfThisHostOnly(String address) {
    StepVerifier.create(node.addRail(address))
        .expectErrorSatisfies(e -> assertTrue(
            e.getMessage().startsWith("'" + address + "' is no rail to add or remove"),
            e.getMessage()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void rejectsAnAddressInUse() {
    StepVerifier.create(node.addRail(bound))
        .expectErrorSatisfies(e -> assertInstanceOf(BindFailedException.class, e))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void removesAddedAddressesOnly() {
    StepVerifier.create(node.removeRail(bound))
        .expectErrorMessage("node 'server' has no rail at " + bound + "; there are []")
        .verify(Nodes.PATIENCE);
  }

  @Test
  void recognizesAnAddressInAnySpelling() {
    String port = bound.substring(bound.lastIndexOf(':'));
    node.addRail("tcp:[::1]" + port).block(Nodes.PATIENCE);
    node.removeRail("tcp:[0:0:0:0:0:0:0:1]" + port).block(Nodes.PATIENCE);
  }

  @Test
  void acceptsARemovedAddressAgain() {
    String second = bound.replace("127.0.0.1", "127.0.0.2");
    for (int i = 0; i < 2; i++) {
      assertEquals(second, node.addRail(second).block(Nodes.PATIENCE));
      node.removeRail(second).block(Nodes.PATIENCE);
    }
  }
}
