package io.railflux.fabric.tcp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufUtil;
import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.metrics.RailfluxMeter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets that are no peers are closed in time, without an effect on other connections. */
class StrangersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final byte[] PREAMBLE = {'R', 'F', 'T', 'C', 1, 0, 1, 0};

  /** The limit of {@link TcpListening}. */
  private static final int MAX_GREETING = 1_024;

  private static final int FLOOD = 100;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<SocketChannel> sockets = new ArrayList<>();
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
  void acceptsOtherPeers() throws IOException {
    Node honest = start(config("honest"));
    Peer peer = honest.connect("tcp:127.0.0.1:" + address.getPort()).block(PATIENCE);
    assertEquals("server", peer.name());
    for (SocketChannel socket : sockets) {
      socket.close();
    }
    honest.close().block(PATIENCE);
    server.close().block(PATIENCE);
  }

  private SocketChannel stranger() throws IOException {
    SocketChannel socket = SocketChannel.open(address);
    socket.configureBlocking(false);
    sockets.add(socket);
    return socket;
  }

  private static void say(SocketChannel socket, byte[] bytes) throws IOException {
    assertEquals(bytes.length, socket.write(ByteBuffer.wrap(bytes)));
  }

  /** Returns whether the other end closed the socket. Ignores the preamble of the node. */
  private static boolean isClosed(SocketChannel socket) {
    ByteBuffer buffer = ByteBuffer.allocate(64);
    try {
      int read;
      do {
        read = socket.read(buffer.clear());
      } while (read > 0);
      return read < 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void closesAnotherProtocolImmediately() throws Exception {
    SocketChannel browser = stranger();
    say(browser, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    await().until(() -> isClosed(browser));
    await().until(() -> refused() == 1);
  }

  /** In real time. {@link GreetingTest} and the attacks on handshakes test the bounds in virtual time. */
  @Test
  @Tag("deep")
  void closesAnIncompleteGreetingInTime() throws Exception {
    stranger();
    say(stranger(), "RF".getBytes(StandardCharsets.US_ASCII));
    say(stranger(), PREAMBLE);
    SocketChannel dripping = stranger();
    say(dripping, PREAMBLE);
    say(dripping, frame(TcpFrame.SEND, 4096, 0));

    await().until(() -> {
      drip(dripping);
      return sockets.stream().allMatch(StrangersTest::isClosed);
    });
    await().until(() -> refused() == 4);
  }

  private static byte[] frame(int type, int length, int payloadBytes) {
    return ByteBufUtil.getBytes(HostileEndpoint.frame(type, length, 0, 4711, 0, payloadBytes));
  }

  /** The socket may be closed at any moment. */
  private static void drip(SocketChannel socket) {
    try {
      socket.write(ByteBuffer.allocate(1));
    } catch (IOException e) {
      assertTrue(isClosed(socket));
    }
  }

  @Test
  void closesATooLongFirstMessageImmediately() throws Exception {
    SocketChannel greedy = stranger();
    say(greedy, PREAMBLE);
    say(greedy, frame(TcpFrame.SEND, Integer.MAX_VALUE, 0));

    await().until(() -> isClosed(greedy));
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
  void closesAnUnauthenticatedMemoryAccessImmediately(int type) throws Exception {
    for (int i = 0; i < 100; i++) {
      SocketChannel reaching = stranger();
      say(reaching, PREAMBLE);
      say(reaching, frame(type, TcpFrame.ATOMIC_BYTES, TcpFrame.ATOMIC_BYTES));
    }

    await().until(() -> sockets.stream().allMatch(StrangersTest::isClosed));
    await().until(() -> refused() == 100);
  }

  @Test
  void removesADisconnectedPeer() throws Exception {
    for (int i = 0; i < 500; i++) {
      try (SocketChannel socket = SocketChannel.open(address)) {
        if (i % 2 == 0) {
          say(socket, PREAMBLE);
        }
      }
    }

    await().until(() -> refused() == 500);
  }

  @Test
  void floodEvictsTheOldestConnectionsFirst() throws Exception {
    for (int i = 0; i < MAX_GREETING + FLOOD; i++) {
      stranger();
    }

    await().until(() -> sockets.subList(0, FLOOD).stream().allMatch(StrangersTest::isClosed));
    await().until(() -> refused() >= FLOOD);
  }
}
