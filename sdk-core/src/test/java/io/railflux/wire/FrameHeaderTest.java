package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FrameHeaderTest {
  @Test
  void framesOccupyWholeSlots() {
    assertEquals(64, FrameHeader.slotBytes(1));
    assertEquals(64, FrameHeader.slotBytes(64));
    assertEquals(128, FrameHeader.slotBytes(65));
  }

  @Test
  void extensionsKeepTheBodyAligned() {
    for (int flags = 0; flags < 256; flags++) {
      for (int metadataBytes : new int[] {0, 1, 6, 7, Metadata.MAX_BYTES}) {
        assertEquals(0, FrameHeader.headerBytes(flags, metadataBytes) % 8);
      }
    }
    assertEquals(32, FrameHeader.headerBytes(0xE1, 100));
    assertEquals(32 + 16 + 8 + 1032, FrameHeader.headerBytes(0xFF, Metadata.MAX_BYTES));
  }

  @Test
  void metadataIsNotModified() {
    ByteBuffer metadata = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3);
    ByteBuffer ring = WireBytes.ring(64);

    FrameHeader.putExtensions(ring, 0, FrameFlags.METADATA, 0, 0, 0, metadata);

    assertEquals(1, metadata.position());
    assertEquals(3, metadata.limit());
    assertEquals("0200010200000000", WireBytes.hexOf(ring, 32, 8));
  }

  @Test
  void rejectsMetadataBeyondTheLimit() {
    ByteBuffer metadata = ByteBuffer.allocate(Metadata.MAX_BYTES + 1);
    ByteBuffer ring = WireBytes.ring(2048);

    assertThrows(
        IllegalArgumentException.class,
        () -> FrameHeader.putExtensions(ring, 0, FrameFlags.METADATA, 0, 0, 0, metadata));
  }

  @Test
  void clearedSlotsAreEmptyAndOthersAreUnchanged() {
    ByteBuffer ring = WireBytes.ring(256);
    for (int at = 0; at < 256; at += 64) {
      FrameHeader.publish(ring, at, -1L);
    }

    FrameHeader.clearHeads(ring, 64, 128);

    assertEquals(-1L, FrameHeader.peek(ring, 0));
    assertEquals(0, FrameHeader.peek(ring, 64));
    assertEquals(0, FrameHeader.peek(ring, 128));
    assertEquals(-1L, FrameHeader.peek(ring, 192));
  }

  @Test
  void linkFramesAndPaddingAreNotSequenced() {
    for (int type = 0; type < 256; type++) {
      boolean link =
          type == FrameType.HEARTBEAT || type == FrameType.CREDIT || type == FrameType.RING_SWITCH;
      assertEquals(!link && type != FrameType.PADDING, FrameType.sequenced(type));
    }
  }

  @Test
  void typesHaveNames() {
    assertEquals("PADDING", FrameType.name(FrameType.PADDING));
    assertEquals("REQUEST", FrameType.name(FrameType.REQUEST));
    assertEquals("CREDIT", FrameType.name(FrameType.CREDIT));
    assertEquals("BATCH", FrameType.name(FrameType.BATCH));
    assertEquals("RNDZ_START", FrameType.name(FrameType.RNDZ_START));
    assertEquals("RNDZ_DONE", FrameType.name(FrameType.RNDZ_DONE));
    assertEquals("ADDRESSES", FrameType.name(FrameType.ADDRESSES));
    assertEquals("RETIRE", FrameType.name(FrameType.RETIRE));
    assertEquals("RING_SWITCH", FrameType.name(FrameType.RING_SWITCH));
    assertEquals("TYPE_28", FrameType.name(28));
    assertFalse(FrameType.known(0));
    assertTrue(FrameType.known(20));
    assertFalse(FrameType.known(28));
  }

  @Test
  void controlWordsHaveTheOffsetsThatThePeerWrites() {
    ByteBuffer words = WireBytes.ring(ControlWords.BYTES);

    ControlWords.store(words, ControlWords.CREDIT_OFFSET, 0x0102);
    ControlWords.store(words, ControlWords.ACK_OFFSET, 0x0304);

    assertEquals("0201000000000000" + "0403000000000000", WireBytes.hexOf(words, 0, 16));
    assertEquals(0x0102, ControlWords.load(words, ControlWords.CREDIT_OFFSET));
    assertEquals(0x0304, ControlWords.load(words, ControlWords.ACK_OFFSET));
  }
}
