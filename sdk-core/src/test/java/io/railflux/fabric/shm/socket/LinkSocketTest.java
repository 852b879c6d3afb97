package io.railflux.fabric.shm.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelOption;
import io.railflux.engine.IoLoop;
import io.railflux.fabric.shm.Loop;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.socket.DomainSockets.Connected;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class LinkSocketTest {

  @TempDir
  Path directory;

  /** Both ends of a connection after its handshake, with the smallest possible buffers. */
  private final class Pair implements AutoCloseable {

    private final Path path = directory.resolve("s");
    private final Loop loop;
    private final DomainSockets sockets;
    private final Closeable server;
    private final Deque<Connected> accepted = new ArrayDeque<>();
    private final LinkSocket ringing;
    private final LinkSocket rung;
    private final Connected channelOfRinging;
    private final Connected channelOfRung;
    private int doorbells;
    private int asked;

    Pair(Supplier<IoLoop> kind) throws IOException {
      loop = new Loop(kind.get());
      sockets = DomainSockets.of(loop.socketLoop());
      server = sockets.listen(path, accepted::add, failure -> false);
      channelOfRinging = connect();
      channelOfRung = accepted.remove();
      ringing = begin(channelOfRinging, loop::wakeUp);
      rung = begin(channelOfRung, this::onDoorbell);
      loop.pollIo();
      assertEquals(!loop.socketLoop().takesJdkChannels(), byEdges(rung));
    }

    private Connected connect() throws IOException {
      Connected connected = sockets.connect(path);
      for (int i = 0; i < 1_000 && accepted.isEmpty(); i++) {
        loop.sleep(10);
      }
      assertFalse(accepted.isEmpty());
      return connected;
    }

    private LinkSocket begin(Connected connection, Runnable onReady) throws IOException {
      smallestBuffer(connection);
      LinkSocket socket = connection.begin(onReady);
      socket.expectBells();
      return socket;
    }

    private void onDoorbell() {
      doorbells++;
      loop.wakeUp();
    }

    private void asks() {
      rung.makeRoom(asked++);
    }

    private void awaitDoorbell() {
      int before = doorbells;
      for (int i = 0; i < 100 && doorbells == before; i++) {
        loop.sleep(10);
      }
      assertEquals(before + 1, doorbells);
    }

    private void awaitEnd(LinkSocket socket) {
      for (int i = 0; i < 100 && !socket.ended(); i++) {
        loop.sleep(10);
      }
      assertTrue(socket.ended());
    }

    @Override
    public void close() throws IOException {
      ringing.close();
      rung.close();
      server.close();
      loop.close();
    }
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void receivesEachRequestedDoorbell(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 1_000; i++) {
        pair.asks();
        pair.ringing.ring();
        pair.awaitDoorbell();
      }
      assertFalse(pair.rung.ended());
    }
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void receivesTheNextDoorbellAfterAFullSocket(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 1_000; i++) {
        pair.ringing.ring();
        pair.loop.pollIo();
      }
      pair.asked += EdgeBell.ASKED_UNREAD;
      pair.asks();
      pair.ringing.ring();
      pair.awaitDoorbell();
      assertFalse(pair.ringing.ended());
    }
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void detectsTheEndBehindDoorbells(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.ringing.ring();
      pair.ringing.close();
      pair.awaitEnd(pair.rung);
      assertFalse(isOpen(pair.channelOfRung), "the socket is released by now");
    }
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void receivesDoorbellsInAnyOrderOfRequestAndRing(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 300; i++) {
        // From an earlier request: a previous sleep, or space in a mailbox.
        pair.ringing.ring();
        pair.ringing.ring();
        pair.loop.pollIo();
        for (int sleep = 0; sleep < EdgeBell.ASKED_UNREAD; sleep++) {
          pair.asks();
          pair.ringing.ring();
          pair.awaitDoorbell();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void closedSocketDoesNotWriteToAReusedDescriptor(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      int number = number(pair.channelOfRinging);
      pair.ringing.close();
      Connected next = pair.connect();
      assumeTrue(number == number(next), "another thread reuses the descriptor");
      int[] arrived = {0};
      LinkSocket far = pair.begin(pair.accepted.remove(), () -> arrived[0]++);
      LinkSocket near = pair.begin(next, () -> {});
      pair.loop.pollIo();
      pair.ringing.ring();
      pair.loop.pollIo();
      assertEquals(0, arrived[0]);
      near.close();
      far.close();
    }
  }

  private static void smallestBuffer(Connected connection) throws IOException {
    if (connection instanceof EpollSockets.Connection epoll) {
      epoll.channel().config().setOption(ChannelOption.SO_SNDBUF, 1);
    } else {
      ((JdkSockets.Connection) connection).channel().setOption(StandardSocketOptions.SO_SNDBUF, 1);
    }
  }

  private static boolean byEdges(LinkSocket socket) {
    return socket instanceof EpollLink epoll && epoll.byEdges();
  }

  private static boolean isOpen(Connected connection) {
    return connection instanceof EpollSockets.Connection epoll
        ? epoll.channel().isOpen()
        : ((JdkSockets.Connection) connection).channel().isOpen();
  }

  private static int number(Connected connection) {
    return connection instanceof EpollSockets.Connection epoll
        ? epoll.channel().fd().intValue()
        : 0;
  }

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void ringingAClosedPeerDetectsItsEnd(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.rung.close();
      pair.ringing.ring();
      pair.awaitEnd(pair.ringing);
    }
  }

  /** A listener rejects another user without waiting for its HELLO. */
  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void readsTheReasonAfterWritingToAPeerThatRejected(Supplier<IoLoop> kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      ByteBuffer output =
          ByteBuffer.allocateDirect(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      ProcessIdentity self = new ProcessIdentity(1, 2, 3, 4);
      Connected connection = pair.connect();
      LinkSocket far = pair.accepted.remove().begin(() -> {});
      far.send(HandshakeMessage.refuse(self, Refusal.OTHER_USER), output);
      far.close();
      if (pair.loop.socketLoop().takesJdkChannels()) {
        // A channel of the JDK stays open until its selector removes it.
        pair.loop.pollIo();
      }

      LinkSocket near = connection.begin(() -> {});
      assertThrows(
          DomainSockets.Gone.class, () -> near.send(HandshakeMessage.hello(self, 5), output));
      pair.awaitEnd(near);
      assertEquals(Refusal.OTHER_USER, Refusal.of(near.received().detail()));
      near.close();
    }
  }
}
