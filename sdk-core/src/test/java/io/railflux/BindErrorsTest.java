package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.tcp.TcpFabricProvider;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

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
  @ValueSource(
      strings = {
        "tcp:127.0.0.1:99999",
        "localhost:99999",
        "[::1]:70000",
        "tcp:localhost",
        "shm:no such",
        "tcp:::1:5",
        "127.0.0.1:abc"
      })
  void malformedAddressFailsAlikeWhereverItIsUsed(String address) {
    Node node = node();

    for (Mono<?> attempt : List.of(node.bind(address), node.connect(address))) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> attempt.block(Nodes.PATIENCE));
      assertTrue(
          failure.getMessage().startsWith("malformed address " + address + ": "),
          failure.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> node.remote(address));
  }

  @ParameterizedTest
  @CsvSource({
    "tcp://127.0.0.1:80, tcp:127.0.0.1:80",
    "http://localhost:80/path, localhost:80",
    "shm:///run/prices, shm:/run/prices",
    "http://localhost, host:port"
  })
  void urlFailsWithTheAddressToWrite(String url, String address) {
    Node node = node();
    String text = "malformed address " + url + ": write " + address;

    for (Mono<?> attempt : List.of(node.bind(url), node.connect(url))) {
      Throwable failure =
          assertThrows(IllegalArgumentException.class, () -> attempt.block(Nodes.PATIENCE));
      assertEquals(text, failure.getMessage());
    }
    Throwable failure = assertThrows(IllegalArgumentException.class, () -> node.remote(url));
    assertEquals(text, failure.getMessage());
  }

  @Test
  void portInUseFailsWithARemedy() {
    Node node = node();
    String address = node.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);

    Throwable failure =
        assertThrows(BindFailedException.class, () -> node.bind(address).block(Nodes.PATIENCE));

    assertTrue(
        failure.getMessage().contains("another process listens there"), failure.getMessage());
    assertTrue(failure.getMessage().contains("choose another port"), failure.getMessage());
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
