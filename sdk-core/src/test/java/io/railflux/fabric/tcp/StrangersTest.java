package io.railflux.fabric.tcp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufUtil;
import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.metrics.RailfluxMeter;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets that are no peers: whatever they do, they are closed in time and nobody else notices. */
class StrangersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final byte[] PREAMBLE = {'R', 'F', 'T', 'C', 1, 0, 1, 0};

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Socket> sockets = new ArrayList<>();
  private Node server;
  private InetSocketAddress address;

  @BeforeEach
  void listen() {
    server = start(config("server").meterRegistry(meters));
    String bound = server.bind("tcp:127.0.0.1:0").block(PATIENCE);
    int port = Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Railflux config(String name) {
    return Railflux.create().name(name).fabrics(new TcpFabricProvider()).drainOnShutdown(false);
  }

  private static Node start(Railflux config) {
    return config.start().block(PATIENCE);
  }

  private double refused() {
    String name = RailfluxMeter.HANDSHAKES_REFUSED.meterName();
    return meters.get(name).functionCounter().count();
  }

  @AfterEach
  void othersAreLetIn() throws IOException {
    Node honest = start(config("honest"));
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
    await().until(() -> refused() == 1);
  }

  @Test
  void whoNeverGreetsIsClosedInTime() throws Exception {
    Socket silent = stranger();
    Socket slow = stranger();
    slow.getOutputStream().write("RF".getBytes(StandardCharsets.US_ASCII));

    await().atMost(PATIENCE).until(() -> isClosed(silent) && isClosed(slow));
    await().until(() -> refused() == 2);
  }

  @Test
  void whoGreetsAndSaysNoMoreIsClosedInTime() throws Exception {
    Socket polite = stranger();
    polite.getOutputStream().write(PREAMBLE);

    await().atMost(PATIENCE).until(() -> isClosed(polite));
  }

  private static byte[] frame(int type, int length, int payloadBytes) {
    return ByteBufUtil.getBytes(HostileEndpoint.frame(type, length, 0, 4711, 0, payloadBytes));
  }

  @Test
  void whoDripsHisFirstMessageIsClosedInTime() throws Exception {
    Socket dripping = stranger();
    dripping.getOutputStream().write(PREAMBLE);
    dripping.getOutputStream().write(frame(TcpFrame.SEND, 4096, 0));

    await().atMost(PATIENCE).until(() -> isClosed(dripping) || !takes(dripping, 1));
    assertEquals(1, refused());
  }

  /** It may be closed at any moment. */
  private static boolean takes(Socket socket, int octet) {
    try {
      socket.getOutputStream().write(octet);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void whoseFirstMessageIsTooLongIsClosedAtOnce() throws Exception {
    Socket greedy = stranger();
    greedy.getOutputStream().write(PREAMBLE);
    greedy.getOutputStream().write(frame(TcpFrame.SEND, Integer.MAX_VALUE, 0));

    await().atMost(Duration.ofSeconds(2)).until(() -> isClosed(greedy));
    await().until(() -> refused() == 1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        TcpFrame.WRITE,
        TcpFrame.WRITE_IMMEDIATE,
        TcpFrame.READ,
        TcpFrame.FETCH_ADD,
        TcpFrame.COMPARE_SWAP,
        TcpFrame.REPLY,
        77
      })
  void whoReachesForMemoryBeforeHeIsLetInIsClosedAtOnce(int type) throws Exception {
    for (int i = 0; i < 100; i++) {
      Socket reaching = stranger();
      reaching.getOutputStream().write(PREAMBLE);
      reaching.getOutputStream().write(frame(type, TcpFrame.ATOMIC_BYTES, TcpFrame.ATOMIC_BYTES));
    }

    await().atMost(PATIENCE).until(() -> sockets.stream().allMatch(StrangersTest::isClosed));
    await().until(() -> refused() == 100);
  }

  @Test
  void whoComesAndGoesIsForgotten() throws Exception {
    for (int i = 0; i < 500; i++) {
      try (Socket socket = new Socket()) {
        socket.connect(address, 10_000);
        if (i % 2 == 0) {
          socket.getOutputStream().write(PREAMBLE);
        }
      }
    }

    await().atMost(PATIENCE).until(() -> refused() == 500);
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
    assertTrue(refused() >= 144, "counted");
  }
}
