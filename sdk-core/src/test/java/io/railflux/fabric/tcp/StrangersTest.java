package io.railflux.fabric.tcp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sockets that are no peers: whatever they do, they are closed in time and nobody else notices. */
class StrangersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<Socket> sockets = new ArrayList<>();
  private Node server;
  private InetSocketAddress address;

  @BeforeEach
  void listen() {
    server = node("server");
    String bound = server.bind("tcp:127.0.0.1:0").block(PATIENCE);
    int port = Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Node node(String name) {
    return Railflux.create()
        .name(name)
        .fabrics(new TcpFabricProvider())
        .drainOnShutdown(false)
        .start()
        .block(PATIENCE);
  }

  @AfterEach
  void othersAreLetIn() throws IOException {
    Node honest = node("honest");
    Peer peer = honest.connect("tcp:127.0.0.1:" + address.getPort()).block(PATIENCE);
    assertEquals("server", peer.name());
    for (Socket socket : sockets) {
      socket.close();
    }
    honest.close().block(PATIENCE);
    server.close().block(PATIENCE);
  }

  private Socket stranger() throws IOException {
    Socket socket = new Socket();
    socket.connect(address, 10_000);
    sockets.add(socket);
    return socket;
  }

  /** Whether the other end was closed; bytes that come first are the node's preamble. */
  private static boolean isClosed(Socket socket) {
    try {
      socket.setSoTimeout(1);
      byte[] buffer = new byte[64];
      int read = socket.getInputStream().read(buffer);
      return read < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void whoSpeaksAnotherProtocolIsClosedAtOnce() throws Exception {
    Socket browser = stranger();
    browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    await().atMost(Duration.ofSeconds(2)).until(() -> isClosed(browser));
  }

  @Test
  void whoNeverGreetsIsClosedInTime() throws Exception {
    Socket silent = stranger();
    Socket slow = stranger();
    slow.getOutputStream().write("RF".getBytes(StandardCharsets.US_ASCII));

    await().atMost(PATIENCE).until(() -> isClosed(silent) && isClosed(slow));
  }

  @Test
  void whoGreetsAndSaysNoMoreIsClosedInTime() throws Exception {
    Socket polite = stranger();
    polite.getOutputStream().write(new byte[] {'R', 'F', 'T', 'C', 1, 0, 1, 0});

    await().atMost(PATIENCE).until(() -> isClosed(polite));
  }

  @Test
  void ofAFloodTheOldestGoFirst() throws Exception {
    for (int i = 0; i < 400; i++) {
      stranger();
    }

    await()
        .atMost(PATIENCE)
        .until(() -> sockets.stream().filter(StrangersTest::isClosed).count() >= 144);
    assertTrue(isClosed(sockets.get(0)));
  }
}
