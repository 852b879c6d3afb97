package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The nodes of one test, over real shared memory in one JVM; closed after it. */
final class Nodes implements AfterEachCallback {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Supplier<Path> directory;
  private final List<Node> started = new ArrayList<>();

  Nodes(LeakCheck leaks) {
    this(leaks::directory);
  }

  Nodes(Supplier<Path> directory) {
    this.directory = directory;
  }

  /** Two nodes and what each knows the other as. */
  record Pair(Node server, Node client, Peer toServer, Peer toClient) {}

  /** A configuration that nothing but the directory distinguishes from the default. */
  Railflux config(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(new ShmFabricProvider(directory.get()))
        .drainOnShutdown(false);
  }

  Node start(String name) {
    return start(name, config -> config);
  }

  Node start(String name, UnaryOperator<Railflux> change) {
    Node node = change.apply(config(name)).start().block(PATIENCE);
    started.add(node);
    return node;
  }

  String newAddress() {
    return "shm:test-" + NAMES.incrementAndGet();
  }

  Pair pair() {
    return pair(config -> config);
  }

  Pair pair(UnaryOperator<Railflux> change) {
    return connect(start("server", change), start("client", change));
  }

  Pair connect(Node server, Node client) {
    String address = newAddress();
    server.bind(address).block(PATIENCE);
    return join(server, client, address);
  }

  Pair join(Node server, Node client, String address) {
    Peer toServer = client.connect(address).block(PATIENCE);
    Peer toClient =
        server.peers().filter(peer -> peer.name().equals(client.name())).blockFirst(PATIENCE);
    return new Pair(server, client, toServer, toClient);
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    closeAll();
    for (Node node : started) {
      assertTrue(node.awaitEnd(TimeUnit.SECONDS.toNanos(10)), node + " did not end");
      assertEquals(0, node.messages().outstanding(), node + " has messages nobody closed");
      assertEquals(0, node.engine().largeMessageBytes(), node + " has large messages left");
    }
  }

  void closeAll() {
    started.forEach(Node::abort);
  }
}
