package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.railflux.engine.IoLoop;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class DomainSocketsTest {

  @TempDir
  Path directory;

  static Stream<IoHandlerFactory> kindsOfSockets() {
    return Stream.of(IoLoop.fastest(), NioIoHandler.newFactory());
  }

  private static String failure(DomainSockets sockets, Path path) {
    return assertThrows(IOException.class, () -> sockets.connect(path)).getMessage();
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void whereNobodyListensItSaysSo(IoHandlerFactory kind) throws IOException {
    Path path = directory.resolve("s");
    try (Loop loop = new Loop(kind)) {
      DomainSockets sockets = new DomainSockets(loop.eventLoop());
      String nobody = "no process listens there (" + path + ")";
      assertEquals(nobody, failure(sockets, path), "no file");
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(path));
      }
      assertTrue(Files.exists(path), "left over");
      assertEquals(nobody, failure(sockets, path), "a file nobody listens at");
    }
  }

  /** As for want of file descriptors, while somebody waits: without a pause the loop would never sleep. */
  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void whoCouldNotAcceptTriesAgainALittleLater(IoHandlerFactory kind) throws IOException {
    Path path = directory.resolve("s");
    List<Channel> accepted = new ArrayList<>();
    List<Throwable> troubles = new ArrayList<>();
    try (Loop loop = new Loop(kind)) {
      DomainSockets sockets = new DomainSockets(loop.eventLoop());
      Channel server = sockets.listen(path, accepted::add, troubles::add);
      server.pipeline().fireExceptionCaught(new IOException("Too many open files"));
      Channel waiting = sockets.connect(path);
      assertEquals(1, troubles.size());
      assertFalse(server.config().isAutoRead());

      for (int tries = 0; accepted.isEmpty() && tries < 100; tries++) {
        loop.sleep(DomainSockets.PAUSE_MILLIS);
      }
      assertEquals(1, accepted.size());
      accepted.forEach(DomainSockets::close);
      DomainSockets.close(waiting);
      DomainSockets.close(server);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void aListenerThatTakesNoMoreIsNotTakenForAbsent(IoHandlerFactory kind) throws IOException {
    Path path = directory.resolve("s");
    List<Channel> connected = new ArrayList<>();
    try (Loop loop = new Loop(kind);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path), 1);
      DomainSockets sockets = new DomainSockets(loop.eventLoop());
      String busy = "";
      while (busy.isEmpty() && connected.size() < 16) {
        try {
          connected.add(sockets.connect(path));
        } catch (IOException e) {
          busy = e.getMessage();
        }
      }
      assertEquals("the listener has more connections waiting than it takes; try again", busy);
      connected.forEach(DomainSockets::close);
    }
  }
}
