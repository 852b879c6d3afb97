package io.railflux.fabric.shm;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.railflux.fabric.shm.socket.HandshakeMessage;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class HandshakeMessageFuzzTest {
  private static final String SENDER =
      "6712000000000000" + "0c14020000000000" + "fcffffef00000000" + "0200000000000000";
  private static final String NONCE = "efcdab8967452301";

  static Stream<byte[]> seeds() {
    return Stream.of(
            "5246534801000101" + SENDER + NONCE + "0010020000000000" + "00".repeat(8),
            "5246534802000101" + SENDER + NONCE + "0010020000000000" + "00".repeat(8),
            "5246534803000101" + SENDER + NONCE + "0000000004000000" + "00".repeat(8),
            "5246534803000109" + SENDER + NONCE + "00000000ffffffff" + "00".repeat(8),
            "5246534801000101" + "ff".repeat(32) + NONCE + "0010020000000000" + "00".repeat(8))
        .map(HexFormat.of()::parseHex);
  }

  /** A socket delivers a complete message or none. */
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void decode(byte[] bytes) {
    if (bytes.length >= HandshakeMessage.BYTES) {
      HostileLink.decodeHandshake(bytes);
    }
  }
}
