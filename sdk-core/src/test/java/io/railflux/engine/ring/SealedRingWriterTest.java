package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.Secret;
import io.railflux.engine.RingMemory;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.seal.Sealing;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Sealing enlarges frames. The ring keeps its size. */
class SealedRingWriterTest {

  private static final int SIZE = 4096;

  private final ByteBuffer memory = RingMemory.of(SIZE);
  private final ByteBuffer plain = RingMemory.of(SIZE);
  private final KeySchedule keys =
      new KeySchedule(new Secret("a secret of enough bytes"), new byte[32], new byte[32]);
  private final SealedRingWriter writer = new SealedRingWriter(
      new MappedRingWriter(new OutgoingRing(SIZE), memory, RingMemory.of(ControlWords.BYTES)),
      RingMemory.of(SIZE),
      sealing(Role.CONNECTOR));
  private final IncomingRing incoming =
      new IncomingRing(memory, SIZE, false, sealing(Role.ACCEPTOR).frameOpener());

  private Sealing sealing(Role own) {
    return new Sealing(CipherSuite.AES_256_GCM, keys, new byte[32], own);
  }

  private void publish(int lengthBytes) {
    FrameHeader.put(plain, 0, 0, 0, 0);
    writer.publish(plain, 0, FrameHeader.word(lengthBytes, FrameType.DATA, 0, FrameHeader.BYTES));
  }

  @Test
  void frameThatNeedsAnotherSlotForItsTagWaitsForTwo() throws ProtocolViolation {
    publish(FrameHeader.BYTES);
    assertEquals(FrameHeader.SLOT_BYTES, writer.ring().occupied(), "its tag fits its slot");
    int frames = 1;
    while (writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      publish(FrameHeader.SLOT_BYTES);
      frames++;
    }

    assertEquals(SIZE - FrameHeader.SLOT_BYTES, writer.ring().occupied());
    int[] read = new int[1];
    assertEquals(frames, incoming.poll(frame -> ++read[0] > 0, SIZE));
    assertEquals(frames, read[0]);
  }

  @Test
  void reserveExcludesTags() {
    int reserve = SIZE - 2 * FrameHeader.SLOT_BYTES;
    assertTrue(writer.isReady(FrameHeader.SLOT_BYTES, reserve));
    assertFalse(writer.isReady(FrameHeader.SLOT_BYTES, reserve + 1));
    assertEquals(FrameHeader.SLOT_BYTES, writer.contiguousRoom(reserve));
  }
}
