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

  private void tell(long credit, long ack, long number) {
    peer.compute(credit, ack, number);
    ControlWords.storeSealed(
        words, ControlWords.SEALED_OFFSET, credit, ack, number, peer.low(), peer.high());
  }

  private void assertTold(long credit, long ack) {
    sealed.look(words);
    assertEquals(credit, sealed.credit());
    assertEquals(ack, sealed.ack());
  }

  @Test
  void acceptsTheLatestRecord() {
    assertTold(0, 0);
    tell(64, 1, 1);
    assertTold(64, 1);
    tell(256, 3, 5);
    assertTold(256, 3);
  }

  @Test
  void rejectsChangedWords() {
    for (int at = 0; at < ControlWords.SEALED_BYTES; at++) {
      tell(64, 1, 1);
      int index = ControlWords.SEALED_OFFSET + at;
      words.put(index, (byte) (words.get(index) ^ 4));
      assertTold(0, 0);
    }
  }

  @Test
  void rejectsAnOlderRecord() {
    tell(64, 1, 1);
    assertTold(64, 1);
    tell(128, 2, 2);
    assertTold(128, 2);
    tell(64, 1, 1);
    assertTold(128, 2);
  }

  @Test
  void acceptsAPartlyVisibleRecordWhenItIsComplete() {
    tell(128, 2, 2);
    long low = peer.low();
    int at = ControlWords.SEALED_OFFSET + 3 * Long.BYTES;
    words.putLong(at, 0);
    assertTold(0, 0);
    assertTold(0, 0);
    words.putLong(at, low);
    assertTold(128, 2);
  }
}
