package io.railflux.engine.seal;

import io.railflux.crypto.WordProof;
import io.railflux.wire.ControlWords;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Credit and acknowledgement with the peer's proof. A reader may observe a half-written record, so a failed proof
 * is not a violation. The last valid record stays in force until a later one is complete. Engine thread only.
 */
public final class SealedWords {

  private static final int CREDIT = 0;
  private static final int ACK = 1;
  private static final int NUMBER = 2;
  private static final int LOW = 3;
  private static final int HIGH = 4;
  private static final int WORDS = 5;

  private final WordProof proof;
  private final long[] found = new long[WORDS];

  // The words of the last failed proof: the same words are not checked again.
  private final long[] failed = new long[WORDS];

  private long number;
  private long credit;
  private long ack;

  SealedWords(WordProof proof) {
    this.proof = proof;
  }

  /** Accepts the record in {@code words} if it is later and authentic. */
  public void look(ByteBuffer words) {
    long seen = ControlWords.load(words, ControlWords.NUMBER_OFFSET);
    // An older record is a replay, or late.
    if (seen - number <= 0) {
      return;
    }
    for (int i = 0; i < WORDS; i++) {
      found[i] = ControlWords.load(words, ControlWords.SEALED_OFFSET + i * Long.BYTES);
    }
    // All words were read again, so the number may have changed.
    if (found[NUMBER] - number > 0 && !Arrays.equals(found, failed)) {
      check();
    }
  }

  private void check() {
    proof.compute(found[CREDIT], found[ACK], found[NUMBER]);
    if (proof.matches(found[LOW], found[HIGH])) {
      number = found[NUMBER];
      credit = found[CREDIT];
      ack = found[ACK];
    } else {
      System.arraycopy(found, 0, failed, 0, WORDS);
    }
  }

  public long credit() {
    return credit;
  }

  public long ack() {
    return ack;
  }
}
