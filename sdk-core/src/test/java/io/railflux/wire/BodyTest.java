package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Limits of the bodies. */
class BodyTest {
  @Test
  void textIsCutAtACodePointBoundary() throws MalformedFrameException {
    // 1023 bytes of ASCII and a character of four bytes: the cut must not leave a part of the
    // character.
    GoodbyeFrame goodbye = new GoodbyeFrame("x".repeat(1023) + "\ud83d\ude00");
    byte[] encoded = WireBytes.encoded(goodbye.encodedBytes(), goodbye::encode);

    assertEquals(2 + 1023, encoded.length);
    assertEquals("x".repeat(1023), GoodbyeFrame.decode(ByteBuffer.wrap(encoded)).text());
  }

  @Test
  void reportingAnErrorNeverFails() throws MalformedFrameException {
    ErrorFrame error = new ErrorFrame("C".repeat(300), null);
    ByteBuffer encoded = ByteBuffer.wrap(WireBytes.encoded(error.encodedBytes(), error::encode));

    assertEquals(new ErrorFrame("C".repeat(255), ""), ErrorFrame.decode(encoded));
    assertEquals(new RejectFrame(1, ""), new RejectFrame(1, null));
    assertEquals(new GoodbyeFrame(""), new GoodbyeFrame(null));
    assertEquals(
        new HelloReject(Versions.SUPPORTED, 1, ""), new HelloReject(Versions.SUPPORTED, 1, null));
  }

  @Test
  void errorWithAFailingMessageIsReported() {
    Throwable mute = new IllegalStateException() {
      @Override
      public String getMessage() {
        throw new UnsupportedOperationException("on purpose");
      }
    };

    ErrorFrame frame = ErrorFrame.of(mute);

    assertEquals(mute.getClass().getName(), frame.exceptionClass());
    assertTrue(frame.message().contains("UnsupportedOperationException"), frame::message);
  }

  @Test
  void textBeyondTheLimitIsMalformed() {
    ByteBuffer tooLong = ByteBuffer.allocate(2 + 1025).put(0, (byte) 1).put(1, (byte) 4);

    assertThrows(MalformedFrameException.class, () -> GoodbyeFrame.decode(tooLong));
  }

  @Test
  void ignoresBytesAfterABody() throws MalformedFrameException {
    assertEquals(
        new OpenFrame(OpenFrame.STREAM, "s", "c", ""),
        OpenFrame.decode(WireBytes.buffer("00 0100 73 0100 63 0000 ffffff")));
    assertEquals(
        new RejectFrame(RejectFrame.CLOSING, "x"),
        RejectFrame.decode(WireBytes.buffer("05 0100 78 ff")));
  }

  @Test
  void openOfAnotherKindIsMalformed() {
    malformedOpen("02 0100 73 0100 63 0000");
    malformedOpen("00 0100 73 0100 63 0100 63");
    malformedOpen("00 0001 73");
    assertThrows(IllegalArgumentException.class, () -> new OpenFrame(0, "s", "c", "reply"));
  }

  @Test
  void reasonsOfALaterVersionAreKept() throws MalformedFrameException {
    assertEquals(200, RejectFrame.decode(WireBytes.buffer("c8 0000")).reason());
    assertEquals(
        0x1234,
        HelloReject.decode(WireBytes.buffer("52464c58 02 00 0100 0100 3412 0000"))
            .reason());
    assertThrows(IllegalArgumentException.class, () -> new RejectFrame(256, ""));
  }

  @Test
  void resumeContainsReceivedSequenceNumbers() {
    long expected = Long.MAX_VALUE - 1; // Positions wrap around, so only differences count.
    ResumeInfo resume = new ResumeInfo(1, 0, expected, new long[] {0b110, 1L << 63});

    assertTrue(resume.hasReceived(expected - 1));
    assertFalse(resume.hasReceived(expected));
    assertTrue(resume.hasReceived(expected + 1));
    assertTrue(resume.hasReceived(expected + 2));
    assertFalse(resume.hasReceived(expected + 3));
    assertTrue(resume.hasReceived(expected + 127));
    assertFalse(resume.hasReceived(expected + 128));
    assertFalse(resume.hasReceived(expected + Long.MAX_VALUE));
  }

  @Test
  void resumeIsCopiedInAndOut() {
    long[] words = {2};
    ResumeInfo resume = new ResumeInfo(1, 2, 3, words);
    words[0] = 4;
    resume.received()[0] = 8;

    assertArrayEquals(new long[] {2}, resume.received());
    assertEquals(new ResumeInfo(1, 2, 3, new long[] {2}), resume);
    assertEquals(new ResumeInfo(1, 2, 3, new long[] {2}).hashCode(), resume.hashCode());
    assertFalse(resume.equals(new ResumeInfo(1, 2, 3, new long[] {4})));
  }

  @Test
  void expectedSequenceNumberIsNeverInTheReceivedSet() {
    String contradiction = "00000000 00000000 0000000000000000 0100 0300000000000000";

    assertThrows(
        MalformedFrameException.class, () -> ResumeInfo.decode(WireBytes.buffer(contradiction)));
    assertThrows(IllegalArgumentException.class, () -> new ResumeInfo(0, 0, 0, new long[] {1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ResumeInfo(0, 0, 0, new long[ResumeInfo.MAX_WORDS + 1]));
  }

  @Test
  void countBeyondTheBodyIsMalformed() {
    String fixed = "00000000 00000000 0000000000000000";

    assertThrows(
        MalformedFrameException.class,
        () -> ResumeInfo.decode(WireBytes.buffer(fixed + "0200 0000000000000000")));
    assertThrows(
        MalformedFrameException.class,
        () -> ResumeInfo.decode(WireBytes.buffer(fixed + "0104" + "00".repeat(8 * 1025))));
  }

  private static void malformedOpen(String body) {
    assertThrows(
        MalformedFrameException.class, () -> OpenFrame.decode(WireBytes.buffer(body)), body);
  }
}
