package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceivedFrameTest {
  private final ByteBuffer ring = WireBytes.ring(1024);
  private final ReceivedFrame frame = new ReceivedFrame();

  @Test
  void changeAfterValidationHasNoEffect() {
    int flags = FrameFlags.PIGGYBACK | FrameFlags.TIME_TO_LIVE | FrameFlags.METADATA;
    ByteBuffer metadata = ByteBuffer.allocate(9);
    int headerBytes = FrameHeader.headerBytes(flags, 9);
    FrameHeader.put(ring, 64, 11, 12, 13);
    FrameHeader.putExtensions(ring, 64, flags, 14, 15, 16, metadata);
    long word = FrameHeader.word(headerBytes + 5, FrameType.DATA, flags, headerBytes);
    FrameHeader.publish(ring, 64, word);
    assertNull(frame.read(ring, 64, FrameHeader.peek(ring, 64), 448));

    for (int i = 0; i < ring.capacity(); i++) {
      ring.put(i, (byte) 0xFF);
    }

    assertEquals(FrameType.DATA, frame.type());
    assertEquals(flags, frame.flags());
    assertEquals(headerBytes + 5, frame.lengthBytes());
    assertEquals(List.of(11L, 12L, 13L), List.of(frame.psn(), frame.streamId(), frame.streamSeq()));
    assertEquals(
        List.of(14L, 15L, 16L),
        List.of(frame.creditPosition(), frame.ackPsn(), frame.timeToLiveNanos()));
    assertEquals(64 + 32 + 16 + 8 + 2, frame.metadataOffset());
    assertEquals(9, frame.metadataBytes());
    assertEquals(64 + headerBytes, frame.bodyOffset());
    assertEquals(5, frame.bodyBytes());
  }

  @Test
  void keptMessageInMemoryOfTheSenderIsCopied() {
    try (BufferPool pool = new BufferPool("test", 4096, LeakDetection.ALL)) {
      ByteBuffer view = ByteBuffer.allocateDirect(100).put(0, (byte) 7).put(99, (byte) 9);
      PooledBuffer memory = pool.tryAcquire(100);
      frame.carryInPlace(FrameType.DATA, view, memory);
      assertEquals(9, frame.body().get(99));
      assertEquals(0, memory.memory().get(99), "not before it is copied");

      PooledBuffer taken = frame.takePayload();
      view.put(0, (byte) 0).put(99, (byte) 0);
      assertEquals(7, taken.memory().get(0));
      assertEquals(9, taken.memory().get(99));
      assertNull(frame.takePayload());
      assertTrue(frame.forgetPayload());
      taken.release();
    }
  }

  @Test
  void skipsUnknownSkippableFrames() {
    List<Integer> handled = new ArrayList<>();
    int at = 0;
    at += slots(WireBytes.frame(ring, at, FrameType.DATA, 0, new byte[3]));
    at += slots(WireBytes.frame(ring, at, 200, FrameFlags.SKIPPABLE, new byte[100]));
    at += slots(WireBytes.frame(ring, at, FrameType.COMPLETE, 0, new byte[0]));

    for (int offset = 0; offset < at; offset += slots(frame.lengthBytes())) {
      assertNull(WireBytes.read(frame, ring, offset));
      if (FrameType.known(frame.type())) {
        handled.add(frame.type());
      } else {
        assertTrue(FrameType.sequenced(frame.type()), "its PSN is acknowledged");
      }
    }

    assertEquals(List.of(FrameType.DATA, FrameType.COMPLETE), handled);
  }

  @Test
  void otherUnknownFramesAreAViolation() {
    WireBytes.frame(ring, 0, 200, 0, new byte[0]);

    assertEquals(Violation.UNKNOWN_TYPE, WireBytes.read(frame, ring, 0));
  }

  @Test
  void skipsUnknownExtensionsOfTheHeader() {
    FrameHeader.put(ring, 0, 1, 2, 3);
    FrameHeader.publish(ring, 0, FrameHeader.word(103, FrameType.DATA, 0, 96));

    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(96, frame.bodyOffset());
    assertEquals(7, frame.bodyBytes());
  }

  @Test
  void readsOnlyThePublishWordOfPadding() {
    int all = 0xFF;
    for (int i = 0; i < ring.capacity(); i++) {
      ring.put(i, (byte) 0xFF);
    }
    FrameHeader.publish(ring, 384, FrameHeader.word(128, FrameType.PADDING, all, 0));

    assertNull(WireBytes.read(frame, ring, 384));
    assertFalse(frame.has(FrameFlags.PIGGYBACK));
    assertEquals(0, frame.bodyBytes());
    assertEquals(128, frame.lengthBytes());
  }

  @Test
  void reusedFrameKeepsNoState() {
    FrameHeader.putExtensions(ring, 0, FrameFlags.PIGGYBACK, 5, 6, 0, null);
    WireBytes.frame(ring, 0, FrameType.DATA, FrameFlags.PIGGYBACK, new byte[1]);
    WireBytes.frame(ring, 64, FrameType.HEARTBEAT, 0, new byte[0]);

    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(5, frame.creditPosition());
    assertNull(WireBytes.read(frame, ring, 64));
    assertEquals(0, frame.creditPosition());
    assertEquals(0, frame.ackPsn());
    assertEquals(0, frame.metadataBytes());
  }

  @Test
  void lengthsOutsideOfTheRingAreViolations() {
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(31, FrameType.DATA, 0, 32));
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(1025, FrameType.DATA, 0, 32));
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(-64, FrameType.DATA, 0, 32));
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(0, FrameType.PADDING, 0, 32));
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(-64, FrameType.PADDING, 0, 32));
    assertEquals(Violation.LENGTH_OUT_OF_RANGE, of(1088, FrameType.PADDING, 0, 32));
    assertEquals(Violation.PADDING_LENGTH, of(100, FrameType.PADDING, 0, 32));
    assertNull(of(1024, FrameType.DATA, 0, 32));
    assertNull(of(32, FrameType.COMPLETE, 0, 32));
  }

  @Test
  void invalidHeaderLengthsAreViolations() {
    assertEquals(Violation.HEADER_LENGTH, of(64, FrameType.DATA, 0, 24));
    assertEquals(Violation.HEADER_LENGTH, of(64, FrameType.DATA, 0, 36));
    assertEquals(Violation.HEADER_LENGTH, of(64, FrameType.DATA, 0, 72));
    assertNull(of(64, FrameType.DATA, 0, 64));
  }

  @Test
  void extensionsBeyondTheHeaderAreViolations() {
    assertEquals(Violation.EXTENSION_OVERRUN, of(64, FrameType.DATA, FrameFlags.PIGGYBACK, 40));
    assertEquals(Violation.EXTENSION_OVERRUN, of(64, FrameType.DATA, FrameFlags.METADATA, 32));
    assertEquals(Violation.EXTENSION_OVERRUN, of(128, FrameType.DATA, 0x0E, 56));
  }

  @Test
  void sealedFrameInAnUnsealedSessionIsAViolation() {
    assertEquals(Violation.SEALED, of(64, FrameType.DATA, FrameFlags.TAG, 32));
  }

  @Test
  void expiredMessageIsNotSent() {
    assertEquals(Violation.TIME_TO_LIVE, of(64, FrameType.DATA, FrameFlags.TIME_TO_LIVE, 40));
    ring.put(39, (byte) 0x80);
    assertEquals(Violation.TIME_TO_LIVE, of(64, FrameType.DATA, FrameFlags.TIME_TO_LIVE, 40));
  }

  @Test
  void metadataStaysWithinTheHeaderAndItsLimit() {
    ring.put(32, (byte) 7);
    assertEquals(Violation.METADATA_OVERRUN, of(64, FrameType.DATA, FrameFlags.METADATA, 40));
    ring.put(32, (byte) 6);
    assertNull(of(64, FrameType.DATA, FrameFlags.METADATA, 40));
    assertEquals(6, frame.metadataBytes());

    ByteBuffer large = WireBytes.ring(2048);
    large.put(32, (byte) 1).put(33, (byte) 4);
    long word = FrameHeader.word(2048, FrameType.DATA, FrameFlags.METADATA, 2048);
    assertEquals(Violation.METADATA_OVERRUN, frame.read(large, 0, word, 2048));
  }

  @Test
  void batchesConsistOfMessagesAndATable() {
    for (int flag : new int[] {FrameFlags.LAST, FrameFlags.TIME_TO_LIVE, FrameFlags.METADATA}) {
      ring.putLong(32, 1);
      assertEquals(Violation.BATCH_FLAGS, of(64, FrameType.BATCH, flag, 48));
    }
    ring.putShort(62, (short) 0);
    assertEquals(Violation.BATCH_TABLE, of(64, FrameType.BATCH, 0, 32), "no message");
    ring.putShort(62, (short) 16);
    assertEquals(Violation.BATCH_TABLE, of(64, FrameType.BATCH, 0, 32), "a table of 34 bytes");
    ring.putShort(62, (short) 15);
    assertNull(of(64, FrameType.BATCH, 0, 32), "fifteen empty messages");
    ring.putShort(1022, (short) 257);
    assertEquals(Violation.BATCH_TABLE, of(1024, FrameType.BATCH, 0, 32), "too many messages");
    ring.putShort(1022, (short) 256);
    assertNull(of(1024, FrameType.BATCH, 0, 32));
    assertEquals(Violation.BATCH_TABLE, of(33, FrameType.BATCH, 0, 32), "no space for the count");
    assertEquals(Violation.BATCH_TABLE, of(32, FrameType.BATCH, 0, 32), "no body");
  }

  @Test
  void doesNotReadAMessageBeyondItsBatch() {
    ring.putShort(58, (short) 8).putShort(60, (short) 19).putShort(62, (short) 2);
    assertNull(of(64, FrameType.BATCH, 0, 32));

    assertTrue(frame.nextMessage());
    assertEquals(8, frame.bodyBytes());
    assertFalse(frame.nextMessage(), "19 bytes of messages in a body of 18");
    assertEquals(1, frame.messagesLeft());
    ring.putShort(60, (short) 18);
    assertTrue(frame.nextMessage());
    assertEquals(0, frame.messagesLeft());
  }

  @Test
  void incompleteFramesAreViolations() {
    assertEquals(Violation.MISSING_PIGGYBACK, of(48, FrameType.CREDIT, 0, 48));
    assertEquals(Violation.BODY_TOO_SHORT, of(39, FrameType.REQUEST, 0, 32));
    assertEquals(0, frame.bodyBytes());
    assertNull(of(40, FrameType.REQUEST, 0, 32));
  }

  @Test
  void everyViolationHasAText() {
    for (Violation violation : Violation.values()) {
      assertTrue(violation.text().length() > 20, violation.name());
    }
  }

  private Violation of(int lengthBytes, int type, int flags, int headerBytes) {
    return frame.read(ring, 0, FrameHeader.word(lengthBytes, type, flags, headerBytes), 1024);
  }

  private static int slots(int lengthBytes) {
    return FrameHeader.slotBytes(lengthBytes);
  }
}
