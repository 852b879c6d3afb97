package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.railflux.engine.IoLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class LinkSocketTest {

  @TempDir
  Path directory;

  static Stream<IoHandlerFactory> kindsOfSockets() {
    return Stream.of(IoLoop.fastest(), NioIoHandler.newFactory());
  }

  /** Both ends of a connection whose handshake is over, with the smallest buffers there are. */
  private final class Pair implements AutoCloseable {

    private final Loop loop;
    private final Channel server;
    private final Deque<Channel> accepted = new ArrayDeque<>();
    private final LinkSocket ringing;
    private final LinkSocket rung;
    private final Channel channelOfRung;
    private int heard;
    private int asked;

    Pair(IoHandlerFactory kind) throws IOException {
      loop = new Loop(kind);
      DomainSockets sockets = new DomainSockets(loop.eventLoop());
      Path path = directory.resolve("s");
      server = sockets.listen(path, accepted::add, failure -> {});
      Channel connected = sockets.connect(path);
      for (int i = 0; i < 1_000 && accepted.isEmpty(); i++) {
        loop.sleep(10);
      }
      assertFalse(accepted.isEmpty());
      ringing = begin(sockets, connected, loop::wakeUp);
      channelOfRung = accepted.remove();
      rung = begin(sockets, channelOfRung, this::hear);
      loop.pollIo();
      assertEquals(loop.eventLoop().isIoType(EpollIoHandler.class), rung.byEdges());
    }

    private LinkSocket begin(DomainSockets sockets, Channel channel, Runnable onReady)
        throws IOException {
      channel.config().setOption(ChannelOption.SO_SNDBUF, 1);
      LinkSocket socket = new LinkSocket(channel, onReady);
      sockets.begin(channel, socket);
      socket.expectBells(loop.eventLoop());
      return socket;
    }

    private void hear() {
      heard++;
      loop.wakeUp();
    }

    private void asks() {
      rung.makeRoom(asked++);
    }

    private void hears() {
      int before = heard;
      for (int i = 0; i < 100 && heard == before; i++) {
        loop.sleep(10);
      }
      assertEquals(before + 1, heard);
    }

    @Override
    public void close() {
      ringing.close();
      rung.close();
      DomainSockets.close(server);
      loop.close();
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void hearsOfEachDoorbellItAskedFor(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 1_000; i++) {
        pair.asks();
        pair.ringing.ring();
        pair.hears();
      }
      assertFalse(pair.rung.ended());
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void hearsOfTheNextOneAfterAFloodThatFilledTheSocket(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 1_000; i++) {
        pair.ringing.ring();
        pair.loop.pollIo();
      }
      pair.asked += EdgeBell.ASKED_UNREAD;
      pair.asks();
      pair.ringing.ring();
      pair.hears();
      assertFalse(pair.ringing.ended());
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void hearsOfTheEndBehindDoorbells(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.ringing.ring();
      pair.ringing.close();
      for (int i = 0; i < 100 && !pair.rung.ended(); i++) {
        pair.loop.sleep(10);
      }
      assertTrue(pair.rung.ended());
      assertFalse(pair.channelOfRung.isOpen(), "the socket is released by then");
      pair.rung.ring();
      pair.rung.makeRoom(EdgeBell.ASKED_UNREAD);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void hearsOfWhatFallsDueInAnyOrderOfAskingAndRinging(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      for (int i = 0; i < 300; i++) {
        // Of the asking before: an earlier sleep, room in a mailbox.
        pair.ringing.ring();
        pair.ringing.ring();
        pair.loop.pollIo();
        for (int sleep = 0; sleep < EdgeBell.ASKED_UNREAD; sleep++) {
          pair.asks();
          pair.ringing.ring();
          pair.hears();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void whoIsClosedRingsNobody(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.ringing.close();
      pair.ringing.ring();
      pair.ringing.makeRoom(EdgeBell.ASKED_UNREAD);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void whoRingsOneThatIsGoneHearsOfTheEnd(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.rung.close();
      pair.ringing.ring();
      for (int i = 0; i < 100 && !pair.ringing.ended(); i++) {
        pair.loop.sleep(10);
      }
      assertTrue(pair.ringing.ended());
    }
  }
}
