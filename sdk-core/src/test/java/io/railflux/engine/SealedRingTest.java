package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.SealingKey;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.seal.SealedFrames;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Attribution of invalid content in a ring of sealed frames: to the peer, or to an unknown party. */
class SealedRingTest {

  private static final int SIZE = 1024;

  private final ByteBuffer memory = RingMemory.of(SIZE);
  private final IncomingRing ring =
      new IncomingRing(memory, SIZE, false, new SealedFrames.Opener(key()));
  private int frames;

  private static SealingKey key() {
    return new SealingKey(CipherSuite.AES_256_GCM, new byte[32]);
  }

  private static long word(int type) {
    return FrameHeader.word(FrameHeader.BYTES, type, 0, FrameHeader.BYTES);
  }

  private void seal(int type) {
    new SealedFrames.Sealer(key()).seal(RingMemory.of(64), 0, word(type), memory, 0);
    FrameHeader.publish(memory, 0, SealedFrames.Sealer.sealedWord(word(type)));
  }

  private int poll() throws ProtocolViolation {
    return ring.poll(frame -> ++frames > 0, SIZE);
  }

  @Test
  void readsAFrameOfThePeer() throws ProtocolViolation {
    seal(FrameType.DATA);
    assertEquals(1, poll());
    assertEquals(1, frames);
    assertEquals(64, ring.consumed());
  }

  @Test
  void invalidSealedFrameIsAttributedToThePeer() {
    seal(99);
    assertThrows(ProtocolViolation.class, this::poll);
    assertFalse(ring.isForged());
  }

  @Test
  void plainFrameIsNotAttributedAndEndsTheRing() throws ProtocolViolation {
    FrameHeader.put(memory, 0, 0, 1, 0);
    FrameHeader.publish(memory, 0, word(FrameType.DATA));
    assertEquals(0, poll());
    assertTrue(ring.isForged());
    seal(FrameType.DATA);
    assertEquals(0, poll(), "no later frame is read");
    assertEquals(0, frames);
  }

  @Test
  void paddingCoversExactlyTheRestOfTheRing() throws ProtocolViolation {
    FrameHeader.publish(memory, 0, FrameHeader.word(128, FrameType.PADDING, 0, 32));
    assertEquals(0, poll());
    assertTrue(ring.isForged());
  }

  @Test
  void paddingUpToTheEndIsSkipped() throws ProtocolViolation {
    FrameHeader.publish(memory, 0, FrameHeader.word(SIZE, FrameType.PADDING, 0, 32));
    assertEquals(1, poll());
    assertFalse(ring.isForged());
    assertEquals(SIZE, ring.consumed());
    assertEquals(0, frames);
  }
}
