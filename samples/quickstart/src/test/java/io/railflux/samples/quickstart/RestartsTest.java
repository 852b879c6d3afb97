package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.Remote;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartsTest {

  @Test
  void theConsumerGetsEveryEntryOnceOverARestart() {
    List<String> log = List.of("a", "b", "c", "d", "e", "f");
    assertEquals(log, Restarts.run(Addresses.fresh(), log));
  }

  @Test
  void requestsGoToTheInstances() {
    String[] addresses = {Addresses.fresh(), Addresses.fresh()};
    Node client = Railflux.create().name("client").start().block(TwoNodes.PATIENCE);
    Node server = Railflux.create().name("server").start().block(TwoNodes.PATIENCE);
    try {
      Restarts.serve(server, List.of());
      server.bind(addresses[0]).block(TwoNodes.PATIENCE);
      server.bind(addresses[1]).block(TwoNodes.PATIENCE);
      Remote remote = Restarts.balanced(client, String.join(",", addresses));
      assertEquals(4, Restarts.ask(remote, "text").block(TwoNodes.PATIENCE));
    } finally {
      client.close().block(TwoNodes.PATIENCE);
      server.close().block(TwoNodes.PATIENCE);
    }
  }
}
