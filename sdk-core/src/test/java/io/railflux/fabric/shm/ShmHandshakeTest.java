package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.Refusal;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Handshakes with raw sockets, which send arbitrary messages. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class ShmHandshakeTest {

  private static final int STORM = 200;

  private final List<SocketChannel> sockets = new ArrayList<>();
  private Rig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new Rig();
    rig.far.listen("rig", rig.farEars);
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel socket : sockets) {
      socket.close();
    }
    rig.close();
  }

  @Test
  void rejectsStrangersWithAReason() throws IOException {
    SocketChannel stranger = dial();
    stranger.write(ByteBuffer.wrap(new byte[HandshakeMessage.BYTES]));

    assertEquals(Refusal.MALFORMED, refusal(stranger));
    assertTrue(atEnd(stranger));
    assertEquals(List.of(), rig.farEars.connected);
  }

  @Test
  void rejectsAMissingLink() throws IOException {
    SocketChannel liar = dial();
    liar.write(encode(HandshakeMessage.hello(new ProcessIdentity(1, 2, 3, 4), 5)));

    assertEquals(Refusal.NO_LINK, refusal(liar));
  }

  @Test
  void silentConnectionIsDroppedAfterFiveSeconds() throws IOException {
    SocketChannel silent = dial();
    acceptWaiting();
    assertFalse(atEnd(silent));
    rig.farLoop.advance(ShmHandshake.TIMEOUT_NANOS);

    rig.await(() -> atEnd(silent));
  }

  @Test
  void handshakeMayArriveByteByByte() throws IOException {
    SocketChannel slow = dial();
    ByteBuffer hello = encode(HandshakeMessage.hello(new ProcessIdentity(1, 2, 3, 4), 5));
    while (hello.hasRemaining()) {
      slow.write(ByteBuffer.wrap(new byte[] {hello.get()}));
      acceptWaiting();
    }

    assertEquals(Refusal.NO_LINK, refusal(slow));
  }

  @Test
  void evictsTheOldestUnfinishedHandshakes() throws IOException {
    SocketChannel oldest = dial();
    for (int i = 0; i < ShmHandshakes.MAX_ACCEPTING; i++) {
      dial();
      acceptWaiting();
    }
    assertEquals(Refusal.BUSY, refusal(oldest));
    assertFalse(atEnd(sockets.get(1)));

    rig.near.connect("rig", 1, rig.nearEars);
    rig.await(() -> !rig.nearEars.connected.isEmpty());
  }

  @Test
  void attemptAtASilentListenerTimesOut() throws IOException {
    // The far side is not polled, as if its process were stopped.
    rig.near.connect("rig", 1, rig.nearEars);
    rig.near.poll(1);
    assertEquals(List.of(), rig.nearEars.refused);
    rig.nearLoop.advance(ShmHandshake.TIMEOUT_NANOS);
    rig.near.poll(1);

    assertEquals(1, rig.nearEars.refused.size());
    assertTrue(rig.nearEars.refused.get(0).contains("no answer within 5 s"));
    assertEquals(List.of("rig.sock", "s1"), rig.files());
  }

  @Test
  void retriesIfTheQueueOfTheListenerIsFull() {
    storm();
    rig.nearLoop.pollIo();
    rig.near.poll(STORM);
    assertEquals(List.of(), rig.nearEars.refused);

    rig.await(() -> rig.farEars.connected.size() == STORM);
    rig.await(() -> rig.nearEars.connected.size() == STORM);
  }

  @Test
  void attemptAtAPermanentlyFullQueueFails() {
    // The far side is not polled, as if its process were stopped.
    storm();
    rig.nearLoop.advance(ShmConnecting.QUEUE_NANOS);
    while (rig.nearEars.refused.size() < STORM) {
      rig.nearLoop.sleep(1);
      rig.near.poll(STORM);
    }

    String last = rig.nearEars.refused.get(STORM - 1);
    assertTrue(last.contains("too many pending connections"), last);
  }

  /** Opens more connections than the listener's queue accepts. */
  private void storm() {
    for (int i = 0; i < STORM; i++) {
      rig.near.connect("rig", i, rig.nearEars);
    }
  }

  @Test
  void forgetsAPeerThatDisconnects() throws IOException {
    dial().close();
    rig.near.connect("rig", 1, rig.nearEars);
    rig.await(() -> !rig.nearEars.connected.isEmpty() && !rig.farEars.connected.isEmpty());

    assertEquals(1, rig.farEars.connected.size());
    assertEquals(List.of(), rig.farEars.errors);
  }

  private SocketChannel dial() throws IOException {
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    sockets.add(socket);
    socket.connect(UnixDomainSocketAddress.of(rig.userDirectory().resolve("rig.sock")));
    socket.configureBlocking(false);
    return socket;
  }

  /** Accepts connections, as a poll does at intervals. */
  private void acceptWaiting() {
    rig.farLoop.pollIo();
    rig.far.poll(1);
  }

  private Refusal refusal(SocketChannel socket) throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    rig.await(() -> {
      try {
        return socket.read(answer) < 0 || !answer.hasRemaining();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    return Refusal.of(HandshakeMessage.decode(answer).detail());
  }

  private static boolean atEnd(SocketChannel socket) {
    try {
      return socket.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      return true;
    }
  }

  private static ByteBuffer encode(HandshakeMessage message) {
    ByteBuffer buffer = ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    message.encode(buffer);
    return buffer;
  }
}
