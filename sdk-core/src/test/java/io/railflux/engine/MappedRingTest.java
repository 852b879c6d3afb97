package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer and a reader of one mapped ring. */
class MappedRingTest {

  private static final int SIZE = 4096;
  static final int MAX_BODY = SIZE / 2 - FrameHeader.BYTES;

  private final ByteBuffer memory = RingMemory.of(SIZE);
  private final ByteBuffer words = RingMemory.of(ControlWords.BYTES);
  private final MappedRingWriter writer =
      new MappedRingWriter(new OutgoingRing(SIZE), memory, words);
  private final IncomingRing incoming = new IncomingRing(memory, SIZE, false);
  private final List<byte[]> sent = new ArrayList<>();
  private int read;

  private boolean check(ReceivedFrame frame) {
    byte[] expected = sent.get(read);
    byte[] body = new byte[frame.bodyBytes()];
    frame.buffer().get(frame.bodyOffset(), body);
    assertEquals(read, frame.psn());
    assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(body));
    read++;
    return true;
  }

  private int poll(int limit) throws ProtocolViolation {
    int count = incoming.poll(this::check, limit);
    return count;
  }

  private void returnCredit() {
    assertTrue(writer.ring().isValidCredit(incoming.consumed()));
    writer.ring().credit(incoming.consumed());
  }

  /** Claims as an encoder does that claims more than it needs and overwrites all of it. */
  private int claim(Random random, int claimedBody) {
    int offset = writer.place(FrameHeader.slotBytes(FrameHeader.BYTES + claimedBody));
    byte[] litter = new byte[FrameHeader.BYTES + claimedBody - Long.BYTES];
    random.nextBytes(litter);
    writer.mapped().clear().put(offset + Long.BYTES, litter);
    return offset;
  }

  private void send(Random random, int claimedBody, int bodyBytes) {
    int offset = claim(random, claimedBody);
    byte[] body = new byte[bodyBytes];
    random.nextBytes(body);
    FrameHeader.put(writer.mapped(), offset, sent.size(), 1, 0);
    writer.mapped().put(offset + FrameHeader.BYTES, body);
    sent.add(body);
    writer.publish(writer.mapped(), offset, dataWord(FrameHeader.BYTES + bodyBytes));
  }

  private static long dataWord(int lengthBytes) {
    return FrameHeader.word(lengthBytes, FrameType.DATA, 0, FrameHeader.BYTES);
  }

  @Property(tries = 300)
  void deliversEveryFrameInOrderByteForByteOverManyWraps(
      @ForAll long seed, @ForAll @Size(max = 200) List<@IntRange(max = MAX_BODY) Integer> claims)
      throws ProtocolViolation {
    MappedRingTest pipe = new MappedRingTest();
    Random random = new Random(seed);
    for (int claim : claims) {
      pipe.makeRoom(random, claim);
      if (random.nextInt(8) == 0) {
        // An encoder that failed.
        pipe.claim(random, claim);
      } else {
        pipe.send(random, claim, random.nextInt(claim + 1));
      }
    }
    pipe.poll(Integer.MAX_VALUE);

    assertEquals(pipe.sent.size(), pipe.read);
    assertEquals(pipe.writer.ring().written(), pipe.incoming.consumed());
  }

  private void makeRoom(Random random, int claimedBody) throws ProtocolViolation {
    int slotBytes = FrameHeader.slotBytes(FrameHeader.BYTES + claimedBody);
    while (!writer.isReady(slotBytes, 0) || random.nextInt(4) == 0) {
      int count = poll(1 + random.nextInt(4));
      assertTrue(count > 0 || writer.ring().occupied() == 0, "no space, and no frame to read");
      returnCredit();
    }
  }

  @Test
  void pollsNoMoreThanItsLimit() throws ProtocolViolation {
    Random random = new Random(1);
    for (int i = 0; i < 5; i++) {
      send(random, 100, 100);
    }

    assertEquals(2, poll(2));
    assertEquals(3, poll(100));
    assertEquals(0, poll(100));
  }

  /** The reader prefetches the second line of a short frame, which may be the first line of the ring. */
  @Test
  void prefetchesTheNextShortFrameUpToTheEndOfTheRing() throws ProtocolViolation {
    Random random = new Random(1);
    send(random, 8, 8);
    poll(1);
    while (incoming.consumed() < SIZE - FrameHeader.SLOT_BYTES) {
      send(random, 64, 64);
      poll(1);
    }

    assertFalse(incoming.hasNext());
    returnCredit();
    send(random, 64, 64);
    assertTrue(incoming.hasNext());
  }

  @Test
  void padsTheRestOfTheRingForAFrameThatWouldCrossItsEnd() throws ProtocolViolation {
    Random random = new Random(1);
    for (int i = 0; i < 3; i++) {
      send(random, 1024 - FrameHeader.BYTES, 1024 - FrameHeader.BYTES);
    }
    poll(100);
    returnCredit();

    assertTrue(writer.isReady(2048, 0));
    assertFalse(writer.isReady(2048 + 1024 + 64, 0), "the padding is charged as well");
    send(random, 2048 - FrameHeader.BYTES, 2048 - FrameHeader.BYTES);

    assertEquals(SIZE + 2048, writer.ring().written());
    assertEquals(2, poll(100), "the padding counts as a frame read");
    assertEquals(4, read);
  }

  @Test
  void reserveIsAvailableToClaimsWithASmallerReserve() {
    Random random = new Random(1);
    while (writer.isReady(64, 1024)) {
      send(random, 0, 0);
    }

    assertEquals(SIZE - 1024, writer.ring().occupied());
    assertTrue(writer.isReady(1024, 0));
    assertFalse(writer.isReady(1088, 0));
  }

  @Test
  void creditNeverDecreasesNorExceedsWrittenBytes() throws ProtocolViolation {
    send(new Random(1), 100, 100);
    send(new Random(2), 100, 100);
    poll(1);
    returnCredit();

    assertFalse(writer.ring().isValidCredit(0));
    assertFalse(writer.ring().isValidCredit(writer.ring().written() + 64));
    assertFalse(writer.ring().isValidCredit(incoming.consumed() + 1), "not a whole slot");
    assertTrue(writer.ring().isValidCredit(writer.ring().written()));
    assertFalse(writer.ring().credit(incoming.consumed()), "no credit was returned");
  }

  @Test
  void replayCopiesTheFrameFromItsPosition() throws ProtocolViolation {
    ByteBuffer log = RingMemory.of(256);
    FrameHeader.put(log, 64, 0, 1, 0);
    byte[] body = {1, 2, 3};
    log.put(64 + FrameHeader.BYTES, body);
    sent.add(body);

    writer.publish(log, 64, dataWord(FrameHeader.BYTES + 3));

    assertEquals(1, poll(10));
  }

  @Test
  void reportsCreditAndAcknowledgementAsWords() {
    assertTrue(writer.report(640, 12));

    assertEquals(640, ControlWords.load(words, ControlWords.CREDIT_OFFSET));
    assertEquals(12, ControlWords.load(words, ControlWords.ACK_OFFSET));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1, 8, 31, SIZE + 1, Integer.MAX_VALUE})
  void hostileLengthIsAViolation(int lengthBytes) {
    FrameHeader.publish(memory, 0, dataWord(lengthBytes));

    assertThrows(ProtocolViolation.class, () -> incoming.poll(frame -> true, 10));
    assertEquals(0, incoming.consumed());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 24, 36, 72, 65528})
  void hostileHeaderLengthIsAViolation(int headerBytes) {
    FrameHeader.publish(memory, 0, FrameHeader.word(64, FrameType.DATA, 0, headerBytes));

    assertThrows(ProtocolViolation.class, () -> incoming.poll(frame -> true, 10));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -64, 63, 100, SIZE + 64})
  void hostilePaddingIsAViolation(int lengthBytes) {
    long word = FrameHeader.word(lengthBytes, FrameType.PADDING, 0, FrameHeader.BYTES);
    FrameHeader.publish(memory, 0, word);

    assertThrows(ProtocolViolation.class, () -> incoming.poll(frame -> true, 10));
  }

  @Test
  void frameMayNotCrossTheEnd() throws ProtocolViolation {
    Random random = new Random(1);
    send(random, SIZE - 64 - FrameHeader.BYTES, SIZE - 64 - FrameHeader.BYTES);
    poll(10);
    FrameHeader.publish(memory, SIZE - 64, dataWord(65));

    assertThrows(ProtocolViolation.class, () -> incoming.poll(frame -> true, 10));
  }

  @Property(tries = 500)
  void readsNothingOutsideTheRing(@ForAll long seed) {
    Random random = new Random(seed);
    ByteBuffer noise = RingMemory.of(SIZE);
    for (int i = 0; i < SIZE; i += Long.BYTES) {
      boolean plausible = i % 64 == 0 && random.nextInt(4) > 0;
      noise.putLong(
          i, plausible ? dataWord(random.nextInt(512)) | random.nextInt(256) : random.nextLong());
    }
    IncomingRing ring = new IncomingRing(noise, SIZE, false);

    try {
      ring.poll(
          frame -> {
            assertTrue(frame.bodyOffset() >= FrameHeader.BYTES);
            assertTrue(frame.bodyOffset() + frame.bodyBytes() <= SIZE);
            return true;
          },
          1_000);
    } catch (ProtocolViolation e) {
      assertFalse(e.getMessage().isBlank());
    }

    assertEquals(0, ring.consumed() % 64);
  }

  @Test
  void readsNothingUnannounced() throws ProtocolViolation {
    IncomingRing announced = new IncomingRing(memory, SIZE, true);
    Random random = new Random(1);
    send(random, 10, 10);
    send(random, 10, 10);

    assertEquals(0, announced.poll(this::check, 10));
    announced.announce(1);
    assertEquals(1, announced.poll(this::check, 10));
    announced.announce(1);
    assertEquals(1, announced.poll(this::check, 10));
  }

  @Test
  void emptyAnnouncementReadsNothing() throws ProtocolViolation {
    IncomingRing announced = new IncomingRing(memory, SIZE, true);
    announced.announce(3);

    assertEquals(0, announced.poll(this::check, 10));
  }

  @Test
  void rejectingHandlerKeepsTheFrame() throws ProtocolViolation {
    send(new Random(1), 10, 10);

    assertEquals(0, incoming.poll(frame -> false, 10));
    assertEquals(0, incoming.consumed());
  }
}
