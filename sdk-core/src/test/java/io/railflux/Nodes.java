package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

/**
 * The nodes of one test in one JVM, which are closed after the test. They use real shared memory, or sockets with
 * {@code -Drailflux.test.fabric=tcp}.
 */
final class Nodes implements AfterEachCallback {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final boolean TCP = "tcp".equals(System.getProperty("railflux.test.fabric"));

  private final Supplier<Path> directory;
  private final List<Node> started = new ArrayList<>();

  Nodes(LeakCheck leaks) {
    this(leaks::directory);
  }

  Nodes(Supplier<Path> directory) {
    this.directory = directory;
  }

  /** Two nodes and their views of each other. */
  record Pair(Node server, Node client, Peer toServer, Peer toClient) {}

  /** Returns the default configuration with the test's directory. */
  Railflux config(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(TCP ? new TcpFabricProvider() : new ShmFabricProvider(directory.get()))
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

  /** Returns the node with a name. */
  Node started(String name) {
    return started.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }

  String newAddress() {
    return TCP ? "tcp:127.0.0.1:" + freePort() : "shm:test-" + NAMES.incrementAndGet();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Pair pair() {
    return pair(config -> config);
  }

  Pair pair(UnaryOperator<Railflux> change) {
    return connect(start("server", change), start("client", change));
  }

  Pair connect(Node server, Node client) {
    return join(server, client, server.bind(newAddress()).block(PATIENCE));
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
      assertEquals(
          0, node.messages().outstandingBytes(), node + " has messages that are not closed");
      assertEquals(0, node.engine().largeMessageBytes(), node + " has large messages left");
    }
  }

  void closeAll() {
    started.forEach(Node::abort);
  }
}
