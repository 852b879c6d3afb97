package io.railflux.wire.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ResumeInfo;
import io.railflux.wire.WireBytes;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Every handshake message and the metadata as bytes. */
class GoldenHandshakeTest {
  static final String HELLO_FIXED = """
      52464c58 01 00         | "RFLX", HELLO, reserved
      0100 0300 c400         | versions 1 to 3, fixed part 196
      0102030405060708       | features
      1112131415161718 2122232425262728 | incarnation
      3132333435363738 4142434445464748 | expected incarnation
      05000000 06000000      | epoch, subchannel
      7172737475767778       | firstPsn
      00020000 00001000      | reorderWindow 512, maxMessageBytes 1 MiB
      64000000 c8000000      | maxStreams 100, maxExchanges 200
      01 02 0300 00000000    | secret, frames must be sealed, both ciphers
      8182838485868788       | keyId
      a1a2a3a4a5a6a7a8 b1b2b3b4b5b6b7b8 c1c2c3c4c5c6c7c8 d1d2d3d4d5d6d7d8 | nonce
      1122334455667788 1122334455667788 1122334455667788 1122334455667788 | public key
      e1e2e3e4e5e6e7e8 f1f2f3f4f5f6f7f8 a1a2a3a4a5a6a7a8 b1b2b3b4b5b6b7b8 | proof
      """;

  private static final Bits256 PROOF = new Bits256(
      0xe8e7e6e5e4e3e2e1L, 0xf8f7f6f5f4f3f2f1L, 0xa8a7a6a5a4a3a2a1L, 0xb8b7b6b5b4b3b2b1L);

  private static final String PROOF_BYTES =
      "e1e2e3e4e5e6e7e8 f1f2f3f4f5f6f7f8 a1a2a3a4a5a6a7a8 b1b2b3b4b5b6b7b8";

  static final String GRANT = """
      5152535455565758 00000100 80000000 | ring key, 64 KiB, 128 B of words
      6162636465666768                   | words key
      """ + PROOF_BYTES;

  static final String JOINED = "52464c58 04 00 0100 0100 3800" + PROOF_BYTES + GRANT;

  static final String HELLO_NAME = "0600 6e6f64652d61 | nodeName\n";

  static final String REDIAL_REQUEST =
      "52464c58 05 00 0100 0200 1112131415161718 2122232425262728 04000000 06000000 3132333435363738";

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
        new Hello.Limits(512, 1 << 20, 100, 200),
        new Authentication(
            Authentication.SECRET,
            Authentication.MUST,
            3,
            0x8887868584838281L,
            new Bits256(
                0xa8a7a6a5a4a3a2a1L, 0xb8b7b6b5b4b3b2b1L, 0xc8c7c6c5c4c3c2c1L, 0xd8d7d6d5d4d3d2d1L),
            new Bits256(
                0x8877665544332211L, 0x8877665544332211L, 0x8877665544332211L, 0x8877665544332211L),
            PROOF),
        resume);
  }

  @Test
  void helloOfAFirstMeetingHasNoResume() throws MalformedFrameException {
    String golden = HELLO_FIXED + HELLO_NAME + "00";
    Hello hello = hello(null);

    assertEquals(WireBytes.hex(golden), encode(hello));
    assertEquals(hello, Hello.decode(WireBytes.buffer(golden)));
    assertEquals(HandshakeHeader.HELLO, HandshakeHeader.messageType(WireBytes.buffer(golden)));
  }

  @Test
  void helloOfAKnownPeerResumes() throws MalformedFrameException {
    String golden = HELLO_FIXED + HELLO_NAME + "01" + RESUME;
    Hello hello = hello(new ResumeInfo(4, 6, 9, new long[] {2}));

    assertEquals(WireBytes.hex(golden), encode(hello));
    assertEquals(hello, Hello.decode(WireBytes.buffer(golden)));
  }

  @Test
  void helloRejectContainsReasonAndText() throws MalformedFrameException {
    String golden = "52464c58 02 00 0100 0200 0200 0300 6f6c64" + PROOF_BYTES;
    HelloReject reject =
        new HelloReject(new Versions(1, 2), HelloReject.UNKNOWN_SESSION, "old", PROOF);
    byte[] encoded = WireBytes.encoded(reject.encodedBytes(), reject::encode);

    assertEquals(WireBytes.hex(golden), HexFormat.of().formatHex(encoded));
    assertEquals(reject, HelloReject.decode(WireBytes.buffer(golden)));
    assertEquals(
        HandshakeHeader.HELLO_REJECT, HandshakeHeader.messageType(WireBytes.buffer(golden)));
  }

  @Test
  void redialRequestNamesSessionAndSubchannel() throws MalformedFrameException {
    RedialRequest request = new RedialRequest(
        new Versions(1, 2), 0x1817161514131211L, 0x2827262524232221L, 4, 6, 0x3837363534333231L);
    byte[] encoded = WireBytes.encoded(RedialRequest.BYTES, request::encode);

    assertEquals(WireBytes.hex(REDIAL_REQUEST), HexFormat.of().formatHex(encoded));
    assertEquals(request, RedialRequest.decode(WireBytes.buffer(REDIAL_REQUEST)));
    assertEquals(
        HandshakeHeader.REDIAL_REQUEST,
        HandshakeHeader.messageType(WireBytes.buffer(REDIAL_REQUEST)));
  }

  @Test
  void rejectionMayHaveNoProof() throws MalformedFrameException {
    HelloReject reject =
        HelloReject.decode(WireBytes.buffer("52464c58 02 00 0100 0200 0200 0300 6f6c64"));

    assertEquals(Bits256.ZERO, reject.proof());
  }

  @Test
  void joinedProvesAndGrants() throws MalformedFrameException {
    Grant grant = new Grant(0x5857565554535251L, 65536, 0x6867666564636261L, 128, PROOF);
    Proof joined =
        new Proof(HandshakeHeader.JOINED, PROOF, WireBytes.encoded(Grant.BYTES, grant::encode));
    byte[] encoded = WireBytes.encoded(44 + Grant.BYTES, joined::encode);

    assertEquals(WireBytes.hex(JOINED), HexFormat.of().formatHex(encoded));
    assertEquals(joined, Proof.decode(WireBytes.buffer(JOINED), HandshakeHeader.JOINED));
    assertEquals(grant, Grant.decode(WireBytes.buffer(GRANT)));
  }

  @Test
  void proofOfAHelloIsAtItsDeclaredOffset() {
    byte[] hello = WireBytes.bytes(HELLO_FIXED);

    assertEquals(PROOF, Bits256.get(java.nio.ByteBuffer.wrap(hello), Authentication.proofOffset()));
    assertEquals(Authentication.MUST, hello[Authentication.sealingOffset()]);
  }

  @Test
  void messageWithoutTheMagicIsNoHandshake() {
    assertThrows(
        MalformedFrameException.class,
        () -> HandshakeHeader.messageType(WireBytes.buffer("47455420 2f20485454502f312e31")));
    assertThrows(
        MalformedFrameException.class,
        () -> HandshakeHeader.messageType(WireBytes.buffer("52464c58")));
  }

  @Test
  void laterMessageTypeIsReported() throws MalformedFrameException {
    assertEquals(9, HandshakeHeader.messageType(WireBytes.buffer("52464c58 09")));
  }

  @Test
  void decoderRejectsOtherMessageTypes() {
    String hello = HELLO_FIXED + HELLO_NAME + "00";

    assertThrows(MalformedFrameException.class, () -> HelloReject.decode(WireBytes.buffer(hello)));
  }

  private static String encode(Hello hello) {
    return HexFormat.of().formatHex(WireBytes.encoded(hello.encodedBytes(), hello::encode));
  }
}
