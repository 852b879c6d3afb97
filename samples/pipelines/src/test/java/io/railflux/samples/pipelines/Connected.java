package io.railflux.samples.pipelines;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A server and its clients, at an address that no other test on this machine uses. */
final class Connected implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final List<Node> nodes = new ArrayList<>();
  private final String address;
  final Node server;

  Connected() {
    address = "shm:pipeline-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    server = start("server");
    server.bind(address).block(PATIENCE);
  }

  /** Returns the server as a new client sees it. */
  Peer client(String name) {
    return start(name).connect(address).block(PATIENCE);
  }

  private Node start(String name) {
    Node node = Railflux.create().name(name).start().block(PATIENCE);
    nodes.add(node);
    return node;
  }

  @Override
  public void close() {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close().block(PATIENCE);
    }
  }
}
