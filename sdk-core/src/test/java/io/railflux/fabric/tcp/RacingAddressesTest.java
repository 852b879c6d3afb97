package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RecordingListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A name that resolves to several addresses, of which some do not lead to the node. */
@EnabledOnOs(OS.LINUX) // Linux accepts all addresses of 127.0.0.0/8.
class RacingAddressesTest {

  /** Below the time limit of a greeting. */
  private static final long SOON_MILLIS = TcpFabric.GREETING_MILLIS * 8 / 10;

  private final RealContext context = new RealContext();
  private final TcpFabric fabric = new TcpFabric(new TcpCore(context, null));
  private final RecordingListener near = new RecordingListener();
  private final RecordingListener far = new RecordingListener();
  private int port;
  private ServerSocket mute;

  @BeforeEach
  void listen() throws IOException {
    String location = fabric.listen("127.0.0.1:0", far).location();
    port = Integer.parseInt(location.substring(location.lastIndexOf(':') + 1));
    mute = new ServerSocket();
    mute.bind(new InetSocketAddress("127.0.0.2", port));
  }

  @AfterEach
  void close() throws IOException {
    mute.close();
    fabric.close();
    context.close();
  }

  private void connect(String... addresses) throws IOException {
    List<InetAddress> found = inet(addresses);
    new TcpConnecting(fabric, name -> found, near, "node.example:" + port, 7).begin();
  }

  private static List<InetAddress> inet(String... addresses) throws IOException {
    InetAddress[] all = new InetAddress[addresses.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(addresses[i]);
    }
    return List.of(all);
  }

  private void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, () -> "callbacks: " + near.all() + ", " + far.all());
      context.pollIo();
      fabric.poll(64);
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void silentAddressDoesNotDelayTheNextOne() throws IOException {
    connect("127.0.0.2", "127.0.0.1");
    until(() -> !near.of(Kind.CONNECTED).isEmpty() && !far.of(Kind.CONNECTED).isEmpty());

    assertEquals(1, near.of(Kind.CONNECTED).size());
    assertEquals(0, near.of(Kind.CONNECT_FAILED).size());
    // The slower connection is closed.
    mute.setSoTimeout((int) SOON_MILLIS);
    var slower = mute.accept();
    slower.setSoTimeout(1);
    until(() -> hasEnded(slower));
    slower.close();
  }

  private static boolean hasEnded(java.net.Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void triesAllAddressesThatRefuse() throws IOException {
    mute.close();
    connect("127.0.0.3", "127.0.0.2", "127.0.0.1");
    until(() -> !near.of(Kind.CONNECTED).isEmpty());
    assertEquals(0, near.of(Kind.CONNECT_FAILED).size());
  }

  @Test
  void failureListsEveryAddress() throws IOException {
    mute.close();
    connect("127.0.0.3", "127.0.0.2");
    until(() -> !near.of(Kind.CONNECT_FAILED).isEmpty());
    assertEquals(1, near.of(Kind.CONNECT_FAILED).size());
    String reason = near.of(Kind.CONNECT_FAILED).get(0).reason();
    assertEquals(2, reason.split("Connection refused", -1).length - 1, reason);
  }

  @Test
  void addressFamiliesAlternate() throws IOException {
    assertEquals(
        inet("::1", "10.0.0.1", "::2", "10.0.0.2", "::3"),
        TcpConnecting.interleaved(inet("::1", "::2", "::3", "10.0.0.1", "10.0.0.2")));
    assertEquals(inet("10.0.0.1"), TcpConnecting.interleaved(inet("10.0.0.1")));
  }
}
