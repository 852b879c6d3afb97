package io.railflux.fabric.shm;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The first 8 bytes are the peer's tail and head, the others are the content of the mailbox. */
class MailboxFuzzTest {
  private static final String SEND_5 = "02000000" + "05000000" + "00".repeat(8) + "6869".repeat(8);
  private static final String IMMEDIATE = "03000000" + "00004000" + "bebafeca" + "00000000";

  static Stream<byte[]> seeds() {
    return Stream.of(
            "2000000000000000" + SEND_5,
            "3000000000000000" + SEND_5 + IMMEDIATE,
            "1000000000000000" + IMMEDIATE,
            "0000010010000000" + "01000000" + "00".repeat(12),
            "f0ffffff08000000" + IMMEDIATE,
            "10000000f0ffffff" + "02000000" + "ffffffff" + "00".repeat(8))
        .map(HexFormat.of()::parseHex);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void read(byte[] bytes) {
    HostileLink.readMailbox(bytes);
  }
}
