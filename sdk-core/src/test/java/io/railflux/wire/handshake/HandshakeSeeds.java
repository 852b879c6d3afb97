package io.railflux.wire.handshake;

import java.util.List;
import java.util.stream.Stream;

/** Inputs of the fuzz tests of handshake messages: valid messages, and messages near a limit. */
public final class HandshakeSeeds {
  static final List<String> HELLO = List.of(
      GoldenHandshakeTest.HELLO_FIXED + GoldenHandshakeTest.HELLO_NAME + "00",
      GoldenHandshakeTest.HELLO_FIXED
          + GoldenHandshakeTest.HELLO_NAME
          + "01"
          + GoldenHandshakeTest.RESUME,
      GoldenHandshakeTest.HELLO_FIXED.replace("c400", "ffff"),
      GoldenHandshakeTest.HELLO_FIXED);

  static final List<String> HELLO_REJECT =
      List.of("52464c58 02 00 0100 0200 0200 0300 6f6c64", "52464c58 02 00 0200 0100 0200 0000");

  static final List<String> REDIAL_REQUEST = List.of(
      GoldenHandshakeTest.REDIAL_REQUEST,
      GoldenHandshakeTest.REDIAL_REQUEST.replace("04000000", "04000080"));

  static final List<String> PROOF = List.of(
      GoldenHandshakeTest.JOINED,
      GoldenHandshakeTest.JOINED.replaceFirst(" 04 ", " 03 "),
      GoldenHandshakeTest.JOINED.replace("3800", "ffff"));

  static final List<String> GRANT =
      List.of(GoldenHandshakeTest.GRANT, GoldenHandshakeTest.GRANT.replace("00000100", "01000100"));

  private HandshakeSeeds() {}

  /** Returns all of them. */
  public static List<String> all() {
    return Stream.of(HELLO, HELLO_REJECT, REDIAL_REQUEST, PROOF, GRANT)
        .flatMap(List::stream)
        .toList();
  }
}
