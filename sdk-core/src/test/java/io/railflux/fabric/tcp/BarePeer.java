package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RecordingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An endpoint of a fabric, connected to a bare socket that sent a greeting and does not read. */
final class BarePeer implements AutoCloseable {

  static final byte[] PREAMBLE = {'R', 'F', 'T', 'C', 1, 0, 1, 0};
  private static final int SOON_MILLIS = 20_000;

  final TcpFabric fabric;
  final RecordingListener callbacks = new RecordingListener();

  /** Null if the fabric rejected the peer. */
  final TcpEndpoint endpoint;

  private final RealContext context;
  private final ServerSocket server;
  private Socket socket;

  BarePeer() throws IOException {
    this(Checksum.ALLOWED, PREAMBLE);
  }

  /**
   * @param wish preference of the fabric
   * @param greeting first bytes of the peer
   */
  BarePeer(Checksum wish, byte[] greeting) throws IOException {
    context = new RealContext() {
      @Override
      public Checksum checksum(Protection protection) {
        return wish;
      }
    };
    fabric = new TcpFabric(new TcpCore(context, null));
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    fabric.connect("127.0.0.1:" + server.getLocalPort(), 1, callbacks);
    server.setSoTimeout(1);
    until(this::accepted);
    socket.setSoTimeout(SOON_MILLIS);
    socket.getOutputStream().write(greeting);
    until(() -> !callbacks.of(Kind.CONNECTED).isEmpty()
        || !callbacks.of(Kind.CONNECT_FAILED).isEmpty());
    endpoint = callbacks.of(Kind.CONNECTED).isEmpty()
        ? null
        : (TcpEndpoint) callbacks.of(Kind.CONNECTED).get(0).endpoint();
  }

  Socket socket() {
    return socket;
  }

  private boolean accepted() {
    try {
      socket = server.accept();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Drives the fabric until the condition holds. */
  void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, () -> "callbacks: " + callbacks.all());
      context.pollIo();
      fabric.poll(64);
      LockSupport.parkNanos(100_000);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    server.close();
    fabric.close();
    context.close();
  }
}
