package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.socket.HandshakeException;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import io.railflux.fabric.shm.socket.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HandshakeMessageTest {

  private static final ProcessIdentity SENDER = new ProcessIdentity(4026531836L, 4711, 136204, 2);

  @Test
  void helloHasTheExpectedBytes() {
    String expected = "5246534801000101" // "RFSH", HELLO, versions 1 to 1
        + "6712000000000000" // process 4711
        + "0c14020000000000" // started at 136204
        + "fcffffef00000000" // namespace 4026531836
        + "0200000000000000" // second fabric
        + "efcdab8967452301" // nonce
        + "00100200" + "00000000" // 135168 bytes, no refusal
        + "0000000000000000";
    byte[] bytes = encode(HandshakeMessage.hello(SENDER, 0x0123456789abcdefL)).array();

    assertEquals(expected, HexFormat.of().formatHex(bytes));
  }

  @Test
  void messagesRoundTrip() throws Exception {
    HandshakeMessage hello = HandshakeMessage.hello(SENDER, -7);
    HandshakeMessage refusal = HandshakeMessage.refuse(SENDER, Refusal.BUSY);

    assertEquals(hello, HandshakeMessage.decode(encode(hello)));
    assertEquals(refusal, HandshakeMessage.decode(encode(refusal)));
    assertEquals(
        Refusal.BUSY, Refusal.of(HandshakeMessage.decode(encode(refusal)).detail()));
  }

  @Test
  void rejectsAMessageOutOfTurn() {
    assertRejected(
        Refusal.MALFORMED,
        () -> HandshakeMessage.welcome(SENDER, 1).expect(HandshakeMessage.HELLO));
  }

  @Test
  void acceptsANewerVersionThatSupportsThisOne() throws Exception {
    int length = LinkLayout.LENGTH_BYTES;
    new HandshakeMessage(HandshakeMessage.HELLO, 1, 9, SENDER, 1, length)
        .expect(HandshakeMessage.HELLO);

    assertRejected(
        Refusal.VERSION,
        () -> new HandshakeMessage(HandshakeMessage.HELLO, 2, 9, SENDER, 1, length)
            .expect(HandshakeMessage.HELLO));
  }

  @Test
  void rejectsAnotherLinkLength() {
    assertRejected(
        Refusal.MALFORMED,
        () -> new HandshakeMessage(HandshakeMessage.HELLO, 1, 1, SENDER, 1, 1 << 30)
            .expect(HandshakeMessage.HELLO));
  }

  @Property(tries = 1000)
  void arbitraryBytesAreDecodedOrRejected(@ForAll @Size(HandshakeMessage.BYTES) byte[] bytes) {
    HostileLink.decodeHandshake(bytes);
  }

  /** One changed byte, which leaves the magic intact in almost all cases. */
  @Property(tries = 1000)
  void corruptedMessagesAreDecodedOrRejected(
      @ForAll @IntRange(min = 0, max = HandshakeMessage.BYTES - 1) int at, @ForAll byte value) {
    byte[] bytes = encode(HandshakeMessage.hello(SENDER, 1)).array();
    bytes[at] = value;
    HostileLink.decodeHandshake(bytes);
  }

  private static ByteBuffer encode(HandshakeMessage message) {
    ByteBuffer buffer = ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    message.encode(buffer);
    return buffer;
  }

  private static void assertRejected(
      Refusal refusal, org.junit.jupiter.api.function.Executable action) {
    assertEquals(refusal, assertThrows(HandshakeException.class, action).refusal());
  }
}
