package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of a peer must not look like lines of the receiver's log. */
class StringsTest {

  private static final String FORGED = "\r\n\u001b[2K12:00 INFO all is well\u0085";

  @ParameterizedTest
  @ValueSource(strings = {"two\nlines", "\u0000", "\u001b[2K", "a\u007f", "\u0085"})
  void namesHaveNoControlCharacters(String name) throws MalformedFrameException {
    var refused = assertThrows(
        IllegalArgumentException.class, () -> OpenFrame.requireName("name of the stream", name));
    assertEquals("name of the stream must not have control characters", refused.getMessage());

    OpenFrame open = new OpenFrame(OpenFrame.STREAM, placeFor(name), "codec", "");
    ByteBuffer forged = forged(WireBytes.encoded(open.encodedBytes(), open::encode), name);
    assertThrows(MalformedFrameException.class, () -> OpenFrame.decode(forged));
  }

  @Test
  void nodeNamesHaveNoControlCharacters() {
    assertThrows(IllegalArgumentException.class, () -> new Hello.Identity(1, 2, 3, 4, "node\n"));
  }

  @Test
  void rejectionsAndGoodbyesAreOneLine() throws MalformedFrameException {
    RejectFrame reject = new RejectFrame(RejectFrame.CLOSING, placeFor(FORGED));
    HelloReject hello = new HelloReject(Versions.SUPPORTED, HelloReject.CLOSING, placeFor(FORGED));
    GoodbyeFrame goodbye = new GoodbyeFrame(placeFor(FORGED));

    byte[] rejected = WireBytes.encoded(reject.encodedBytes(), reject::encode);
    byte[] refused = WireBytes.encoded(hello.encodedBytes(), hello::encode);
    byte[] parted = WireBytes.encoded(goodbye.encodedBytes(), goodbye::encode);

    String line = "   [2K12:00 INFO all is well ";
    assertEquals(line, RejectFrame.decode(forged(rejected, FORGED)).text());
    assertEquals(line, HelloReject.decode(forged(refused, FORGED)).text());
    assertEquals(line, GoodbyeFrame.decode(forged(parted, FORGED)).text());
  }

  private static String placeFor(String text) {
    return "~".repeat(WireBytes.utf8(text).length);
  }

  /** Returns a message that no honest node sends. */
  private static ByteBuffer forged(byte[] message, String text) {
    String bytes = new String(message, StandardCharsets.ISO_8859_1);
    String utf8 = new String(WireBytes.utf8(text), StandardCharsets.ISO_8859_1);
    String forged = bytes.replace(placeFor(text), utf8);
    assertNotEquals(bytes, forged);
    return ByteBuffer.wrap(forged.getBytes(StandardCharsets.ISO_8859_1));
  }
}
