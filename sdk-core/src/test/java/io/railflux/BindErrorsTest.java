package io.railflux;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.tcp.TcpFabricProvider;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The error for an invalid address states the defect and the valid format. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BindErrorsTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node node() {
    return nodes.start("n", config -> config.fabrics(new TcpFabricProvider()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp:127.0.0.1:99999", "localhost:99999", "[::1]:70000", "tcp:localhost"})
  void reportsAMalformedAddressBeforeAMissingSecret(String address) {
    Node node = node();

    BindFailedException failure =
        assertThrows(BindFailedException.class, () -> node.bind(address).block(Nodes.PATIENCE));

    assertTrue(failure.getMessage().contains("is malformed"), failure.getMessage());
  }

  @Test
  void distinguishesAnInvalidPortFromAnUnknownFabric() {
    Node node = node();

    FabricUnavailableException failure = assertThrows(
        FabricUnavailableException.class, () -> node.bind("localhost:4711x").block(Nodes.PATIENCE));

    assertTrue(
        failure.remedy().contains("write host:port with a port of 0 to 65535"),
        failure.getMessage());
  }
}
