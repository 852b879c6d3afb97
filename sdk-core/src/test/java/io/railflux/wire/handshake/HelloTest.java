package io.railflux.wire.handshake;

import static io.railflux.wire.handshake.GoldenHandshakeTest.HELLO_FIXED;
import static io.railflux.wire.handshake.GoldenHandshakeTest.HELLO_NAME;
import static io.railflux.wire.handshake.GoldenHandshakeTest.RESUME;
import static io.railflux.wire.handshake.GoldenHandshakeTest.hello;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ResumeInfo;
import io.railflux.wire.WireBytes;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HelloTest {
  private static final String FIRST_MEETING = HELLO_FIXED + HELLO_NAME + "00";

  @Test
  void laterVersionMayExtendTheFixedPartAndTheEnd() throws MalformedFrameException {
    String later = HELLO_FIXED.replace("0300 c400", "0400 d000")
        + "aaaaaaaaaaaaaaaa bbbbbbbb | 12 bytes this version does not know\n"
        + HELLO_NAME
        + "01"
        + RESUME
        + "cccccccccccc | and 6 more";

    Hello decoded = Hello.decode(WireBytes.buffer(later));

    assertEquals(new Versions(1, 4), decoded.versions());
    assertEquals("node-a", decoded.identity().nodeName());
    assertEquals(new ResumeInfo(4, 6, 9, new long[] {2}), decoded.resume());
    assertEquals(OptionalInt.of(1), Versions.SUPPORTED.negotiate(decoded.versions()));
  }

  @Test
  void messageMayStartAnywhereInTheBuffer() throws MalformedFrameException {
    ByteBuffer buffer = WireBytes.buffer("ffffff" + FIRST_MEETING).position(3);

    assertEquals(hello(null), Hello.decode(buffer));
  }

  @Test
  void everyTruncationIsMalformed() {
    byte[] whole = WireBytes.bytes(HELLO_FIXED + HELLO_NAME + "01" + RESUME);

    for (int bytes = 0; bytes < whole.length; bytes++) {
      ByteBuffer cut = ByteBuffer.wrap(whole, 0, bytes);
      assertThrows(MalformedFrameException.class, () -> Hello.decode(cut), bytes + " bytes");
    }
  }

  @Test
  void invalidValuesAreMalformed() {
    refused("c400", "c300"); // A fixed part shorter than that of version 1.
    refused("0100 0300", "0300 0100"); // An empty range of versions.
    refused("0100 0300", "0000 0300"); // Version 0.
    refused("1112131415161718 2122232425262728", "00".repeat(16)); // The incarnation of no node.
    refused("01 02 0300", "01 03 0300"); // Sealing is neither allowed nor required.
    refused("00020000", "00000000"); // No reorder window.
    refused("00020000", "01000100"); // More than a ResumeInfo can represent.
    refused("05000000", "000000ff"); // A negative epoch.
    refused("6e6f64652d61", "6e6f64652dff"); // A name that is not UTF-8.
    refused("00", "02", FIRST_MEETING.length() - 2); // A resume marker that is neither 0 nor 1.
  }

  @Test
  void largestMessageFitsTheHandshakeBuffer() {
    Hello.Identity identity = new Hello.Identity(1, 1, 0, 0, "n".repeat(255));
    Hello base = hello(new ResumeInfo(0, 0, 0, new long[ResumeInfo.MAX_WORDS]));
    Hello largest = new Hello(
        base.versions(),
        base.features(),
        identity,
        base.attempt(),
        base.limits(),
        base.authentication(),
        base.resume());

    assertTrue(largest.encodedBytes() <= HandshakeHeader.MAX_BYTES);
  }

  @Test
  void encodingNeedsSpace() {
    Hello hello = hello(null);
    ByteBuffer small = ByteBuffer.allocate(hello.encodedBytes() - 1);

    assertThrows(BufferOverflowException.class, () -> hello.encode(small));
  }

  @Test
  void rejectsLongNamesBeforeSending() {
    assertThrows(
        IllegalArgumentException.class, () -> new Hello.Identity(1, 0, 0, 0, "ñ".repeat(128)));
    assertThrows(IllegalArgumentException.class, () -> new Hello.Identity(1, 0, 0, 0, "\ud800"));
  }

  private static void refused(String golden, String wrong) {
    refused(golden, wrong, FIRST_MEETING.indexOf(golden));
  }

  private static void refused(String golden, String wrong, int at) {
    String message =
        FIRST_MEETING.substring(0, at) + wrong + FIRST_MEETING.substring(at + golden.length());
    assertThrows(
        MalformedFrameException.class,
        () -> Hello.decode(WireBytes.buffer(message)),
        wrong + " for " + golden);
  }
}
