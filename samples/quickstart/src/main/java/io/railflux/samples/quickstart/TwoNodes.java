package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Start of most samples: two nodes, one connected to the other. Both run in one process here. The same code works in
 * two processes.
 * @param server the accepting node
 * @param client the connecting node
 * @param toServer the server, as the client sees it
 * @param toClient the client, as the server sees it
 */
record TwoNodes(Node server, Node client, Peer toServer, Peer toClient) implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);

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
