package io.railflux.engine.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.SealingKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Parts of large messages can be opened at their position only. */
class ChunkSealerTest {

  private static SealedChunks.Sealer chunks() {
    return new SealedChunks.Sealer(new SealingKey(CipherSuite.CHACHA20_POLY1305, new byte[32]));
  }

  private static ByteBuffer sealed(ByteBuffer chunk, long transfer, int offset) {
    ByteBuffer sealed =
        ByteBuffer.allocateDirect(chunk.remaining() + SealedChunks.Sealer.TAG_BYTES);
    chunks().seal(chunk, sealed, transfer, offset);
    return sealed.flip();
  }

  private static boolean opens(ByteBuffer sealed, long transfer, int offset) {
    ByteBuffer chunk = ByteBuffer.allocateDirect(sealed.remaining());
    boolean opened = chunks().open(sealed.duplicate(), chunk, transfer, offset);
    assertEquals(opened ? sealed.remaining() - SealedChunks.Sealer.TAG_BYTES : 0, chunk.position());
    return opened;
  }

  @Test
  void chunkOpensAtItsPositionOnly() {
    ByteBuffer chunk = ByteBuffer.allocateDirect(1000);
    ByteBuffer sealed = sealed(chunk, 7, 3);
    assertEquals(1000, chunk.position());
    assertTrue(opens(sealed, 7, 3));
    assertFalse(opens(sealed, 8, 3));
    assertFalse(opens(sealed, 7, 4));
    sealed.put(500, (byte) ~sealed.get(500));
    assertFalse(opens(sealed, 7, 3));
  }

  /** A repeated key stream would reveal the content of both messages. */
  @Test
  void transfersHaveDifferentKeyStreams() {
    byte[] first = new byte[100];
    byte[] later = new byte[100];
    sealed(ByteBuffer.allocate(100), 1, 0).get(first);
    sealed(ByteBuffer.allocate(100), 1 + (1L << 33), 0).get(later);

    assertFalse(Arrays.equals(first, later));
    assertTrue(opens(sealed(ByteBuffer.allocate(100), 1 + (1L << 33), 0), 1 + (1L << 33), 0));
  }

  @Test
  void chunkTooShortForATagDoesNotOpen() {
    assertFalse(opens(ByteBuffer.allocateDirect(SealedChunks.Sealer.TAG_BYTES - 1), 1, 1));
  }
}
