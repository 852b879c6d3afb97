package io.railflux.engine.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.Secret;
import io.railflux.engine.fakes.FakeFabric;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.sim.SimConfig;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Portions of large messages: both sides cut them equally, and they open at their position only. */
class SealedChunksTest {

  private static final long TRANSFER = 5;
  private static final int OFFSET = 4096;
  private static final int BYTES = 2 * SealedChunks.PLAIN_BYTES + 1000;

  private static SealedChunks chunks(Role own) {
    return chunks(own, null);
  }

  private static SealedChunks chunks(Role own, Fabric fabric) {
    KeySchedule keys =
        new KeySchedule(new Secret("a secret of enough bytes"), new byte[32], new byte[32]);
    return new SealedChunks(
        new Sealing(CipherSuite.CHACHA20_POLY1305, keys, new byte[32], own), fabric, 1);
  }

  /** Writes a portion as a sender does. */
  private static ByteBuffer sealed(ByteBuffer portion) {
    SealedChunks sender = chunks(Role.CONNECTOR);
    ByteBuffer sealed =
        ByteBuffer.allocate(portion.capacity() + 10 * SealedChunks.Sealer.TAG_BYTES);
    for (int at = 0; at < portion.capacity(); at += SealedChunks.PLAIN_BYTES) {
      int bytes = Math.min(SealedChunks.PLAIN_BYTES, portion.capacity() - at);
      sealed.position(SealedChunks.position(at));
      sender.seal(portion.slice(at, bytes), sealed, TRANSFER, OFFSET + at);
    }
    return sealed.rewind();
  }

  private static boolean opens(ByteBuffer sealed, ByteBuffer into, long transfer, int offset) {
    return chunks(Role.ACCEPTOR).open(sealed.duplicate(), into, transfer, offset);
  }

  private static ByteBuffer portion() {
    ByteBuffer portion = ByteBuffer.allocate(BYTES);
    for (int i = 0; i < BYTES; i++) {
      portion.put(i, (byte) (i * 31));
    }
    return portion;
  }

  @Test
  void portionOpensAtItsPosition() {
    ByteBuffer opened = ByteBuffer.allocate(BYTES);

    assertTrue(opens(sealed(portion()), opened, TRANSFER, OFFSET));
    assertEquals(portion(), opened.rewind());
  }

  /** A number seals once. An unposted chunk is sent as it was sealed. */
  @Test
  void unpostedChunkIsStagedAgain() {
    SealedChunks sender = chunks(Role.CONNECTOR, new FakeFabric(SimConfig.rdma().capabilities()));
    int at = 0;
    for (int i = 0; i < 3; i++) {
      if (i > 0) {
        sender.unstage();
      }
      ByteBuffer chunk = portion().limit(SealedChunks.PLAIN_BYTES);
      at = sender.stage(chunk, TRANSFER, OFFSET);
      assertFalse(chunk.hasRemaining());
    }
    ByteBuffer staged = sender.staging().memory().duplicate().position(at);
    ByteBuffer opened = ByteBuffer.allocate(SealedChunks.PLAIN_BYTES);

    assertTrue(opens(staged, opened, TRANSFER, OFFSET));
    assertEquals(portion().limit(SealedChunks.PLAIN_BYTES), opened.rewind());
  }

  @Test
  void portionDoesNotOpenElsewhere() {
    ByteBuffer sealed = sealed(portion());

    assertFalse(opens(sealed, ByteBuffer.allocate(BYTES), TRANSFER + 1, OFFSET));
    assertFalse(opens(sealed, ByteBuffer.allocate(BYTES), TRANSFER, OFFSET + 1));
    assertFalse(chunks(Role.CONNECTOR)
        .open(sealed.duplicate(), ByteBuffer.allocate(BYTES), TRANSFER, OFFSET));
  }

  @Test
  void detectsAChangeOfAnyBit() {
    for (int at : new int[] {0, SealedChunks.PLAIN_BYTES + 3, SealedChunks.position(BYTES)}) {
      ByteBuffer sealed = sealed(portion());
      sealed.put(at, (byte) (sealed.get(at) ^ 1));
      assertFalse(opens(sealed, ByteBuffer.allocate(BYTES), TRANSFER, OFFSET), "byte " + at);
    }
  }

  @Property
  boolean capacityFitsTheSpace(@ForAll @IntRange(min = 17, max = 1 << 24) int room) {
    int plain = SealedChunks.capacity(room);
    int last = plain - plain / SealedChunks.PLAIN_BYTES * SealedChunks.PLAIN_BYTES;
    int needed =
        SealedChunks.position(plain) + (last == 0 ? 0 : last + SealedChunks.Sealer.TAG_BYTES);
    return plain > 0 && needed <= room;
  }
}
