package io.railflux.engine.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.railflux.crypto.WordProof;
import io.railflux.wire.ControlWords;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Authenticated control words, overwritten by an attacker without the key. */
class SealedWordsFuzzTest {

  private static final byte[] KEY = new byte[32];

  static Stream<byte[]> seeds() {
    return Stream.of(
            "00", "40" + "ff".repeat(40), "50" + "0200000000000000", "00" + "11".repeat(128))
        .map(HexFormat.of()::parseHex);
  }

  /** The first byte determines the position of the others. */
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void look(byte[] bytes) {
    ByteBuffer words = ByteBuffer.allocateDirect(ControlWords.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    SealedWords sealed = new SealedWords(new WordProof(KEY.clone()));
    write(words, 64, 1);
    sealed.look(words);
    write(words, 128, 2);
    for (int i = 1; i < bytes.length; i++) {
      int at = (bytes[0] & 0xFF) + i - 1;
      if (at < words.capacity()) {
        words.put(at, bytes[i]);
      }
    }
    sealed.look(words);

    boolean taken = sealed.credit() == 128;
    assertEquals(taken ? 128 : 64, sealed.credit(), "only authenticated values");
    assertEquals(taken ? 2 : 1, sealed.ack());
  }

  private static void write(ByteBuffer words, long credit, long number) {
    WordProof peer = new WordProof(KEY.clone());
    peer.compute(credit, number, number);
    ControlWords.storeSealed(
        words, ControlWords.SEALED_OFFSET, credit, number, number, peer.low(), peer.high());
  }
}
