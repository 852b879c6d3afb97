package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Node;
import io.railflux.Railflux;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfiguredTest {

  @Test
  void nodeWithEveryOptionStarts() {
    Node node = Configured.start("all", Path.of("/dev/shm")).block(TwoNodes.PATIENCE);
    assertEquals("all", node.name());
    node.close().block(TwoNodes.PATIENCE);
  }

  @Test
  void smallAndFrugalNodesStart() {
    for (Railflux config : List.of(Configured.SMALL, Configured.FRUGAL)) {
      config.start().block(TwoNodes.PATIENCE).close().block(TwoNodes.PATIENCE);
    }
  }

  @Test
  void reportsAllInvalidOptionsTogether() {
    String message = assertThrows(
            IllegalArgumentException.class,
            () -> Railflux.create().ringBytes(1_000).maxPeers(0).start().block())
        .getMessage();
    assertTrue(message.contains("ringBytes") && message.contains("maxPeers"), message);
  }
}
