package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Every handshake message and the metadata byte for byte. */
class GoldenHandshakeTest {
  static final String HELLO_FIXED = """
      52464c58 01 00         | "RFLX", HELLO, reserved
      0100 0300 6c00         | versions 1 to 3, fixed part 108
      0102030405060708       | features
      1112131415161718 2122232425262728 | incarnation
      3132333435363738 4142434445464748 | expected incarnation
      05000000 06000000      | epoch, subchannel
      5152535455565758 00000100 | ring key, 64 KiB
      6162636465666768 80000000 | words key, 128 B
      7172737475767778       | firstPsn
      00020000 00001000      | reorderWindow 512, maxMessageBytes 1 MiB
      64000000 c8000000      | maxStreams 100, maxExchanges 200
      """;

  static final String HELLO_NAME = "0600 6e6f64652d61 | nodeName\n";

  static final String RESUME =
      "04000000 06000000 0900000000000000 0100 0200000000000000 | ResumeInfo\n";

  static Hello hello(ResumeInfo resume) {
    return new Hello(
        new Versions(1, 3),
        0x0807060504030201L,
        new Hello.Identity(
            0x1817161514131211L,
            0x2827262524232221L,
            0x3837363534333231L,
            0x4847464544434241L,
            "node-a"),
        new Hello.Attempt(5, 6, 0x7877767574737271L),
        new Hello.Regions(0x5857565554535251L, 65536, 0x6867666564636261L, ControlWords.BYTES),
        new Hello.Limits(512, 1 << 20, 100, 200),
        resume);
  }

  @Test
  void helloOfAFirstMeetingHasNoResume() throws MalformedFrameException {
    String golden = HELLO_FIXED + HELLO_NAME + "00";
    Hello hello = hello(null);

    assertEquals(WireBytes.hex(golden), encode(hello));
    assertEquals(hello, Hello.decode(WireBytes.buffer(golden)));
    assertEquals(Handshake.HELLO, Handshake.messageType(WireBytes.buffer(golden)));
  }

  @Test
  void helloOfAKnownPeerResumes() throws MalformedFrameException {
    String golden = HELLO_FIXED + HELLO_NAME + "01" + RESUME;
    Hello hello = hello(new ResumeInfo(4, 6, 9, new long[] {2}));

    assertEquals(WireBytes.hex(golden), encode(hello));
    assertEquals(hello, Hello.decode(WireBytes.buffer(golden)));
  }

  @Test
  void helloRejectTellsReasonAndText() throws MalformedFrameException {
    String golden = "52464c58 02 00 0100 0200 0200 0300 6f6c64";
    HelloReject reject = new HelloReject(new Versions(1, 2), HelloReject.UNKNOWN_SESSION, "old");
    byte[] encoded = WireBytes.encoded(reject.encodedBytes(), reject::encode);

    assertEquals(WireBytes.hex(golden), HexFormat.of().formatHex(encoded));
    assertEquals(reject, HelloReject.decode(WireBytes.buffer(golden)));
    assertEquals(Handshake.HELLO_REJECT, Handshake.messageType(WireBytes.buffer(golden)));
  }

  @Test
  void anythingWithoutTheMagicIsNoHandshake() {
    assertThrows(
        MalformedFrameException.class,
        () -> Handshake.messageType(WireBytes.buffer("47455420 2f20485454502f312e31")));
    assertThrows(
        MalformedFrameException.class, () -> Handshake.messageType(WireBytes.buffer("52464c58")));
  }

  @Test
  void aLaterMessageTypeIsToldAsItIs() throws MalformedFrameException {
    assertEquals(9, Handshake.messageType(WireBytes.buffer("52464c58 09")));
  }

  @Test
  void oneDecoderDoesNotTakeTheOtherMessage() {
    String hello = HELLO_FIXED + HELLO_NAME + "00";

    assertThrows(MalformedFrameException.class, () -> HelloReject.decode(WireBytes.buffer(hello)));
  }

  private static String encode(Hello hello) {
    return HexFormat.of().formatHex(WireBytes.encoded(hello.encodedBytes(), hello::encode));
  }
}
