package io.railflux.engine.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.crypto.WordProof;
import io.railflux.wire.ControlWords;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Credit and acknowledgements are accepted only if the peer authenticated them. */
class SealedWordsTest {

  private static final byte[] KEY = new byte[32];

  private final ByteBuffer words =
      ByteBuffer.allocateDirect(ControlWords.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final WordProof peer = new WordProof(KEY.clone());
  private final SealedWords sealed = new SealedWords(new WordProof(KEY.clone()));

  private void write(long credit, long ack, long number) {
    peer.compute(credit, ack, number);
    ControlWords.storeSealed(
        words, ControlWords.SEALED_OFFSET, credit, ack, number, peer.low(), peer.high());
  }

  private void assertReported(long credit, long ack) {
    sealed.look(words);
    assertEquals(credit, sealed.credit());
    assertEquals(ack, sealed.ack());
  }

  @Test
  void acceptsTheLatestRecord() {
    assertReported(0, 0);
    write(64, 1, 1);
    assertReported(64, 1);
    write(256, 3, 5);
    assertReported(256, 3);
  }

  @Test
  void rejectsChangedWords() {
    for (int at = 0; at < ControlWords.SEALED_BYTES; at++) {
      write(64, 1, 1);
      int index = ControlWords.SEALED_OFFSET + at;
      words.put(index, (byte) (words.get(index) ^ 4));
      assertReported(0, 0);
    }
  }

  @Test
  void rejectsAnOlderRecord() {
    write(64, 1, 1);
    assertReported(64, 1);
    write(128, 2, 2);
    assertReported(128, 2);
    write(64, 1, 1);
    assertReported(128, 2);
  }

  @Test
  void acceptsAPartlyVisibleRecordWhenItIsComplete() {
    write(128, 2, 2);
    long low = peer.low();
    int at = ControlWords.SEALED_OFFSET + 3 * Long.BYTES;
    words.putLong(at, 0);
    assertReported(0, 0);
    assertReported(0, 0);
    words.putLong(at, low);
    assertReported(128, 2);
  }
}
