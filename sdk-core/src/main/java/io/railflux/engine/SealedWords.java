package io.railflux.engine;

import io.railflux.crypto.WordProof;
import io.railflux.wire.ControlWords;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Credit and acknowledgement as the peer proved them. A record may be seen half written, so one whose
 * proof fails is no crime: the last good one stays in force until a later one is whole. Engine thread only.
 */
final class SealedWords {

  private static final int CREDIT = 0;
  private static final int ACK = 1;
  private static final int NUMBER = 2;
  private static final int LOW = 3;
  private static final int HIGH = 4;
  private static final int WORDS = 5;

  private final WordProof proof;
  private final long[] found = new long[WORDS];

  // What did not fit together when it was looked at last: once is enough for the same words.
  private final long[] failed = new long[WORDS];

  private long number;
  private long credit;
  private long ack;

  SealedWords(WordProof proof) {
    this.proof = proof;
  }

  /** Takes the record in {@code words} if it is a later one and the peer's. */
  void look(ByteBuffer words) {
    long seen = ControlWords.load(words, ControlWords.NUMBER_OFFSET);
    // An older one is a replay, or late.
    if (seen - number <= 0) {
      return;
    }
    for (int i = 0; i < WORDS; i++) {
      found[i] = ControlWords.load(words, ControlWords.SEALED_OFFSET + i * Long.BYTES);
    }
    // All were read again: the number, too, may be another one by now.
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

  long credit() {
    return credit;
  }

  long ack() {
    return ack;
  }
}
