package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.fakes.FakeFrameOwner;
import io.railflux.engine.ring.LineFetching;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.pipeline.Filling;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.wire.BatchTable;
import io.railflux.wire.ControlWords;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a mapped ring that a growing frame prefetches. */
class BatchBuilderTest {

  private static final int RING_BYTES = 8 << 10;
  private static final int BODY = 32;
  private static final long FOREIGN = -1;

  private final ByteBuffer memory = RingMemory.of(RING_BYTES);
  private final MappedRingWriter ring =
      new MappedRingWriter(new OutgoingRing(RING_BYTES), memory, RingMemory.of(ControlWords.BYTES));
  private final Slot slot = new Slot();
  private final BatchBuilder gathering = new BatchBuilder(slot, BatchBuilder.MAX_MESSAGE_BYTES);
  private final FakeFrameOwner stream = new FakeFrameOwner(1);

  BatchBuilderTest() {
    for (int at = 0; at < RING_BYTES; at += Long.BYTES) {
      memory.putLong(at, FOREIGN);
    }
  }

  private void open(int messageBytes, int limit) {
    gathering.open(stream, ring, BODY, messageBytes, limit);
    gathering.add(messageBytes);
  }

  private void gather(int messageBytes) {
    assertNotNull(gathering.claim(stream, messageBytes));
    gathering.add(messageBytes);
  }

  private int fetched() {
    int lines = 0;
    for (int at = 0; at < RING_BYTES; at += 64) {
      lines += memory.getLong(at) == FOREIGN ? 0 : 1;
    }
    return lines;
  }

  @Test
  void smallFramePrefetchesNothing() {
    open(64, RING_BYTES);
    gather(64);
    gather(64);

    assertEquals(0, fetched());
  }

  @Test
  void growingFramePrefetchesItsNextLines() {
    open(64, RING_BYTES);
    for (int i = 0; i < 4; i++) {
      gather(64);
    }

    assertEquals(1024 / 64, fetched());
    assertEquals(FOREIGN, memory.getLong(BODY + 4 * 64), "at the position of a message");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 1_024, 1_032, 4_000})
  void prefetchesNothingBeyondTheFrame(int limit) {
    open(64, limit);
    while (gathering.claim(stream, 64) != null) {
      gathering.add(64);
    }

    for (int at = limit & -64; at < RING_BYTES; at += Long.BYTES) {
      assertEquals(FOREIGN, memory.getLong(at), "at " + at);
    }
  }

  @Test
  void longerMessagesPrefetchNothing() {
    open(512, RING_BYTES);
    for (int i = 0; i < 8; i++) {
      gather(512);
    }

    assertEquals(0, fetched());
  }

  @Test
  void prefetchesNothingInATrialWithoutPrefetching() {
    LineFetching fetching = new LineFetching();
    stream.fetchesLines = fetching::fetches;
    for (int cycle = 0; cycle <= LineFetching.UNTIL_TRIAL + 1; cycle++) {
      fetching.begin(cycle, cycle * (long) LineFetching.MIN_MESSAGES);
    }

    open(64, RING_BYTES);
    for (int i = 0; i < 40; i++) {
      gather(64);
    }

    assertEquals(0, fetched());
  }

  /** Fills a frame from an endless source of numbers, with messages of one size. */
  private int fill(int messageBytes, long most, long budgetBytes) {
    slot.buffer = ring.view();
    return gathering.fill(
        stream,
        new Filling<Integer>() {
          @Override
          public Integer next() {
            return messageBytes;
          }

          @Override
          public boolean isOver() {
            return false;
          }
        },
        new Outgoing<Integer>() {
          @Override
          public int maxBodyBytes(Integer bytes) {
            return bytes;
          }

          @Override
          public void encode(Integer bytes, ByteBuffer body) {
            body.position(body.position() + bytes);
          }
        },
        most,
        budgetBytes);
  }

  @Test
  void filledFramePrefetchesItsNextLines() {
    open(64, RING_BYTES);

    assertEquals(4, fill(64, 4, Long.MAX_VALUE));
    assertEquals(1024 / 64, fetched());
  }

  @Test
  void fillsAFrameUpToItsLimit() {
    open(64, RING_BYTES);
    int filled = fill(64, Long.MAX_VALUE, Long.MAX_VALUE);

    assertEquals(1 + filled, gathering.count());
    assertTrue(gathering.finish(memory) <= RING_BYTES);
    assertNull(gathering.claim(stream, 64), "had space for another message");
    assertEquals(BODY + 64 * (1 + filled), gathering.reached());
  }

  @Test
  void fillsAFrameUpToTheLimitOfItsTable() {
    open(8, RING_BYTES);

    assertEquals(BatchTable.MAX_MESSAGES - 1, fill(8, Long.MAX_VALUE, Long.MAX_VALUE));
    assertEquals(0, fill(8, Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Test
  void fillsAFrameUpToTheBudgetOfItsStream() {
    open(64, RING_BYTES);

    assertEquals(2, fill(64, 10, 64 + 64 + 1));
    assertEquals(2, stream.nextSeq);
    assertEquals(0, fill(64, 10, 0));
  }

  @Test
  void doesNotFillAFrameDuringEncoding() {
    open(64, RING_BYTES);
    slot.encoding = true;

    assertEquals(0, fill(64, 10, Long.MAX_VALUE));
  }

  @Test
  void frameInTheLogPrefetchesNothing() {
    gathering.open(stream, null, BODY, 64, RING_BYTES);
    gathering.add(64);
    for (int i = 0; i < 40; i++) {
      gather(64);
    }

    assertEquals(0, fetched());
  }
}
