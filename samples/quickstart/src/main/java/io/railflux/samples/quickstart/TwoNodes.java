package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What most samples begin with: two nodes, one connected to the other. They live in one process here;
 * nothing changes when they live in two.
 *
 * @param server the node that was connected to
 * @param client the node that connected
 * @param toServer the server as the client knows it
 * @param toClient the client as the server knows it
 */
record TwoNodes(Node server, Node client, Peer toServer, Peer toClient) implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(10);

  static TwoNodes connected(String address) {
    return connected(address, config -> config);
  }

  // tag::connect[]
  static TwoNodes connected(String address, UnaryOperator<Railflux> change) {
    Node server = change.apply(Railflux.create().name("server")).start().block(PATIENCE);
    Node client = change.apply(Railflux.create().name("client")).start().block(PATIENCE);
    server.bind(address).block(PATIENCE);
    Peer toServer = client.connect(address).block(PATIENCE);
    Peer toClient = server.peers().blockFirst(PATIENCE);
    return new TwoNodes(server, client, toServer, toClient);
  }
  // end::connect[]

  @Override
  public void close() {
    client.close().then(server.close()).block(PATIENCE);
  }
}
