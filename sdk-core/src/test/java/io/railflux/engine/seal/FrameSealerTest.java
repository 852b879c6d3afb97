package io.railflux.engine.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.SealingKey;
import io.railflux.engine.RingMemory;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames open in order, across changes of the key, and none opens twice. */
class FrameSealerTest {

  private static final int BODY_BYTES = 40;
  private static final long WORD =
      FrameHeader.word(FrameHeader.BYTES + BODY_BYTES, FrameType.DATA, 0, FrameHeader.BYTES);
  private static final int FRAMES_PER_KEY = 3;

  private final ByteBuffer plain = RingMemory.of(128);
  private final ByteBuffer ring = RingMemory.of(128);

  private static SealingKey key(CipherSuite suite) {
    return new SealingKey(suite, new byte[32]);
  }

  private static SealedFrames.Sealer sealer(CipherSuite suite) {
    return new SealedFrames.Sealer(key(suite), FRAMES_PER_KEY);
  }

  private static SealedFrames.Opener opener(CipherSuite suite) {
    return new SealedFrames.Opener(key(suite), FRAMES_PER_KEY);
  }

  private long open(SealedFrames.Opener opener) {
    return opener.open(ring, 0, SealedFrames.Sealer.sealedWord(WORD));
  }

  @ParameterizedTest
  @EnumSource(CipherSuite.class)
  void openInOrderAcrossKeys(CipherSuite suite) {
    SealedFrames.Sealer sealer = sealer(suite);
    SealedFrames.Opener opener = opener(suite);
    for (long psn = 0; psn < 4 * FRAMES_PER_KEY; psn++) {
      FrameHeader.put(plain, 0, psn, 7, ~psn);
      sealer.seal(plain, 0, WORD, ring, 0);
      assertEquals(WORD, open(opener));
      assertEquals(psn, opener.opened().getLong(FrameHeader.PSN_OFFSET));
      assertEquals(~psn, opener.opened().getLong(FrameHeader.STREAM_SEQ_OFFSET));
    }
  }

  @Test
  void repeatedFramesHaveDifferentCiphertexts() {
    SealedFrames.Sealer sealer = sealer(CipherSuite.AES_256_GCM);
    Set<String> sealed = new HashSet<>();
    for (int i = 0; i < 4 * FRAMES_PER_KEY; i++) {
      sealer.seal(plain, 0, WORD, ring, 0);
      byte[] bytes = new byte[FrameHeader.BYTES + BODY_BYTES + SealingKey.TAG_BYTES];
      ring.get(0, bytes);
      sealed.add(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    assertEquals(4 * FRAMES_PER_KEY, sealed.size());
  }

  @Test
  void replayedFrameDoesNotOpen() {
    SealedFrames.Sealer sealer = sealer(CipherSuite.AES_256_GCM);
    SealedFrames.Opener opener = opener(CipherSuite.AES_256_GCM);
    sealer.seal(plain, 0, WORD, ring, 0);
    assertEquals(WORD, open(opener));
    assertEquals(0, open(opener));
  }

  @Test
  void frameOutOfOrderDoesNotOpen() {
    SealedFrames.Sealer sealer = sealer(CipherSuite.AES_256_GCM);
    sealer.seal(plain, 0, WORD, ring, 0);
    sealer.seal(plain, 0, WORD, ring, 0);
    assertEquals(0, open(opener(CipherSuite.AES_256_GCM)));
  }

  @Test
  void publishWordIsAuthenticated() {
    sealer(CipherSuite.AES_256_GCM).seal(plain, 0, WORD, ring, 0);
    long sealed = SealedFrames.Sealer.sealedWord(WORD);
    for (int bit = 0; bit < Long.SIZE; bit++) {
      long changed = sealed ^ 1L << bit;
      int length = FrameHeader.lengthBytes(changed);
      if (length > 0 && length <= 128) {
        assertEquals(0, opener(CipherSuite.AES_256_GCM).open(ring, 0, changed), "bit " + bit);
      }
    }
    assertNotEquals(0, opener(CipherSuite.AES_256_GCM).open(ring, 0, sealed));
  }
}
