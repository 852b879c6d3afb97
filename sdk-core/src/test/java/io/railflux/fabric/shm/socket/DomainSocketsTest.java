package io.railflux.fabric.shm.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.nio.NioIoHandler;
import io.railflux.engine.IoLoop;
import io.railflux.engine.NettyLoop;
import io.railflux.engine.SelectorLoop;
import io.railflux.fabric.shm.Loop;
import io.railflux.fabric.shm.socket.DomainSockets.Connected;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class DomainSocketsTest {

  @TempDir
  Path directory;

  static Stream<Named<Supplier<IoLoop>>> kindsOfSockets() {
    return Stream.of(
        Named.of("fastest", () -> IoLoop.fastest(System::nanoTime)),
        Named.of("Netty's NIO", () -> new NettyLoop(NioIoHandler.newFactory())),
        Named.of("JDK", () -> new SelectorLoop(System::nanoTime)));
  }

  private static String failure(DomainSockets sockets, Path path) {
    return assertThrows(IOException.class, () -> sockets.connect(path)).getMessage();
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void reportsAMissingListener(Supplier<IoLoop> kind) throws IOException {
    Path path = directory.resolve("s");
    try (Loop loop = new Loop(kind.get())) {
      DomainSockets sockets = DomainSockets.of(loop.socketLoop());
      String nobody = "no process listens at this path (" + path + ")";
      assertEquals(nobody, failure(sockets, path), "no file");
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(path));
      }
      assertTrue(Files.exists(path), "no listener");
      assertEquals(nobody, failure(sockets, path), "a file without a listener");
    }
  }

  /** Simulates a lack of file descriptors while a peer waits. Without a pause the loop would never sleep. */
  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void retriesAFailedAcceptAfterAPause(Supplier<IoLoop> kind) throws IOException {
    Path path = directory.resolve("s");
    List<Connected> accepted = new ArrayList<>();
    List<Throwable> troubles = new ArrayList<>();
    try (Loop loop = new Loop(kind.get())) {
      DomainSockets sockets = DomainSockets.of(loop.socketLoop());
      Closeable server = sockets.listen(path, accepted::add, cause -> !troubles.add(cause));
      fail(server, new IOException("Too many open files"));
      Connected waiting = sockets.connect(path);
      assertEquals(1, troubles.size());
      loop.pollIo();
      assertEquals(0, accepted.size());

      for (int tries = 0; accepted.isEmpty() && tries < 100; tries++) {
        loop.sleep(DomainSockets.PAUSE_MILLIS);
      }
      assertEquals(1, accepted.size());
      accepted.forEach(Connected::close);
      waiting.close();
      server.close();
    }
  }

  private static void fail(Closeable listener, IOException cause) {
    if (listener instanceof EpollSockets.Listener epoll) {
      epoll.server().pipeline().fireExceptionCaught(cause);
    } else {
      ((JdkSockets.Listener) listener).failed(cause);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void distinguishesAFullQueueFromAMissingListener(Supplier<IoLoop> kind) throws IOException {
    Path path = directory.resolve("s");
    List<Connected> connected = new ArrayList<>();
    try (Loop loop = new Loop(kind.get());
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path), 1);
      DomainSockets sockets = DomainSockets.of(loop.socketLoop());
      String busy = "";
      while (busy.isEmpty() && connected.size() < 16) {
        try {
          connected.add(sockets.connect(path));
        } catch (IOException e) {
          busy = e.getMessage();
        }
      }
      assertEquals("the listener has too many pending connections; try again", busy);
      connected.forEach(Connected::close);
    }
  }
}
