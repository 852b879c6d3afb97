package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.unix.UnixChannel;
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

    private final Path path = directory.resolve("s");
    private final Loop loop;
    private final DomainSockets sockets;
    private final Channel server;
    private final Deque<Channel> accepted = new ArrayDeque<>();
    private final LinkSocket ringing;
    private final LinkSocket rung;
    private final Channel channelOfRinging;
    private final Channel channelOfRung;
    private int heard;
    private int asked;

    Pair(IoHandlerFactory kind) throws IOException {
      loop = new Loop(kind);
      sockets = new DomainSockets(loop.eventLoop());
      server = sockets.listen(path, accepted::add, failure -> {});
      channelOfRinging = connect();
      channelOfRung = accepted.remove();
      ringing = begin(channelOfRinging, loop::wakeUp);
      rung = begin(channelOfRung, this::hear);
      loop.pollIo();
      assertEquals(loop.eventLoop().isIoType(EpollIoHandler.class), rung.byEdges());
    }

    private Channel connect() throws IOException {
      Channel connected = sockets.connect(path);
      for (int i = 0; i < 1_000 && accepted.isEmpty(); i++) {
        loop.sleep(10);
      }
      assertFalse(accepted.isEmpty());
      return connected;
    }

    private LinkSocket begin(Channel channel, Runnable onReady) throws IOException {
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

    private void hearsOfItsEnd(LinkSocket socket) {
      for (int i = 0; i < 100 && !socket.ended(); i++) {
        loop.sleep(10);
      }
      assertTrue(socket.ended());
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
      pair.hearsOfItsEnd(pair.rung);
      assertFalse(pair.channelOfRung.isOpen(), "the socket is released by then");
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
  void whoIsClosedRingsNobodyByANumberThatIsAnothersNow(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      int number = number(pair.channelOfRinging);
      pair.ringing.close();
      Channel next = pair.connect();
      assumeTrue(number == number(next), "another thread took the number");
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

  private static int number(Channel channel) {
    return channel instanceof UnixChannel unix ? unix.fd().intValue() : 0;
  }

  @ParameterizedTest
  @MethodSource("kindsOfSockets")
  void whoRingsOneThatIsGoneHearsOfTheEnd(IoHandlerFactory kind) throws IOException {
    try (Pair pair = new Pair(kind)) {
      pair.rung.close();
      pair.ringing.ring();
      pair.hearsOfItsEnd(pair.ringing);
    }
  }
}
