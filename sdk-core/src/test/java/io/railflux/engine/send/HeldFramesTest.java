package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DataFrames;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that wait for earlier ones, and their copies. */
class HeldFramesTest {

  private static final int FRAME_BYTES = FrameHeader.BYTES + Long.BYTES;

  private final List<Long> delivered = new ArrayList<>();
  private final HeldFrames.Budget budget = new HeldFrames.Budget(3 * FRAME_BYTES);
  private final HeldFrames held = new HeldFrames(budget);
  private final Reader stream = new Reader();

  /** Records the numbers of the delivered messages. */
  private final class Reader implements HeldFrames.Receiver {

    private long expected;
    private long cutBehind = -1;
    private int expired;

    @Override
    public long expected() {
      return expected;
    }

    @Override
    public boolean isCut() {
      return delivered.contains(cutBehind);
    }

    @Override
    public void deliver(ReceivedFrame frame) {
      boolean batch = frame.type() == FrameType.BATCH;
      while (batch ? frame.nextMessage() : expected == frame.streamSeq()) {
        delivered.add(frame.buffer().getLong(frame.bodyOffset()));
        expected++;
      }
    }

    @Override
    public void dropExpired(boolean last) {
      expected++;
      expired++;
    }
  }

  private void open(long firstSeq) {
    stream.expected = firstSeq;
  }

  @Test
  void deliversInOrderUpToTheNextGap() throws ProtocolViolation {
    open(5);
    for (long seq : new long[] {7, 5, 6}) {
      assertTrue(held.hold(DataFrames.of(seq), 0));
    }

    held.deliverTo(stream, 0);

    assertEquals(List.of(5L, 6L, 7L), delivered);
    assertTrue(held.hold(DataFrames.of(9), 0));
    held.deliverTo(stream, 0);
    assertEquals(3, delivered.size());
    assertTrue(budget.take(2 * FRAME_BYTES), "delivered messages use no memory");
  }

  @Test
  void orderFollowsTheDistanceAcrossAWrap() throws ProtocolViolation {
    open(Long.MAX_VALUE);
    for (long seq : new long[] {Long.MIN_VALUE + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      held.hold(DataFrames.of(seq), 0);
    }

    held.deliverTo(stream, 0);

    assertEquals(List.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1), delivered);
  }

  @Test
  void holdsNoMoreThanItsBudget() {
    for (long seq = 1; seq <= 3; seq++) {
      assertTrue(held.hold(DataFrames.of(seq), 0));
    }

    assertFalse(held.hold(DataFrames.of(4), 0));
    held.clear();
    assertTrue(budget.take(3 * FRAME_BYTES), "memory is in use after the clear");
    assertFalse(budget.take(1));
  }

  @Test
  void skipsExpiredMessagesAndDeliversTheNext() throws ProtocolViolation {
    open(0);
    HeldFrames large = new HeldFrames(new HeldFrames.Budget(1_000));
    large.hold(DataFrames.of(0, 100), 1_000);
    large.hold(DataFrames.of(1, 200), 1_000);
    large.hold(DataFrames.of(2), 1_000);

    large.deliverTo(stream, 1_150);

    assertEquals(List.of(1L, 2L), delivered);
    assertEquals(3, stream.expected());
    assertEquals(1, stream.expired);
  }

  @Test
  void batchWaitsAsAWhole() throws ProtocolViolation {
    open(5);
    HeldFrames large = new HeldFrames(new HeldFrames.Budget(1_000));
    large.hold(DataFrames.batch(6, 6, 7, 8), 0);
    large.hold(DataFrames.of(9), 0);
    large.hold(DataFrames.of(5), 0);

    large.deliverTo(stream, 0);

    assertEquals(List.of(5L, 6L, 7L, 8L, 9L), delivered);
  }

  @Test
  void duplicateOfABatchedMessageIsAViolation() {
    open(5);
    HeldFrames large = new HeldFrames(new HeldFrames.Budget(1_000));
    large.hold(DataFrames.batch(5, 5, 6, 7), 0);
    large.hold(DataFrames.of(6), 0);

    assertThrows(ProtocolViolation.class, () -> large.deliverTo(stream, 0));

    assertEquals(List.of(5L, 6L, 7L), delivered);
  }

  @Test
  void deliversNothingAfterTheMessageThatEndsTheSession() throws ProtocolViolation {
    open(5);
    stream.cutBehind = 6;
    for (long seq : new long[] {5, 6, 7}) {
      held.hold(DataFrames.of(seq), 0);
    }

    held.deliverTo(stream, 0);

    assertEquals(List.of(5L, 6L), delivered);
  }

  @Test
  void batchChangedBetweenCheckAndCopyIsAViolation() {
    open(5);
    ReceivedFrame batch = DataFrames.batch(5, 5, 6, 7);
    // The table contains two messages instead of the three at the check of demand.
    batch.buffer().putShort(batch.lengthBytes() - 2, (short) 2);
    held.hold(batch, 0);

    assertThrows(ProtocolViolation.class, () -> held.deliverTo(stream, 0));
    assertEquals(List.of(), delivered);
  }

  @Test
  void copyKeepsTheContentOfTheRing() throws ProtocolViolation {
    ReceivedFrame original = DataFrames.of(3);
    HeldFrames.Copy copy = HeldFrames.Copy.of(original, 17);
    original.buffer().putLong(original.bodyOffset(), -1);
    original.buffer().putLong(FrameHeader.STREAM_SEQ_OFFSET, -1);

    ReceivedFrame read = new ReceivedFrame();
    copy.readInto(read);

    assertEquals(3, read.streamSeq());
    assertEquals(3, read.buffer().getLong(read.bodyOffset()));
    assertEquals(FRAME_BYTES, copy.sizeBytes());
    assertEquals(17, copy.arrivedNanos());
  }

  @Test
  void frameChangedBetweenCheckAndCopyIsAViolation() {
    ReceivedFrame timed = DataFrames.of(3, 100);
    // The peer invalidates the time to live after the validation.
    timed.buffer().putLong(FrameHeader.BYTES, -5);

    HeldFrames.Copy copy = HeldFrames.Copy.of(timed, 0);
    assertThrows(ProtocolViolation.class, () -> copy.readInto(new ReceivedFrame()));

    open(3);
    held.hold(timed, 0);
    assertThrows(ProtocolViolation.class, () -> held.deliverTo(stream, 0));
    assertEquals(List.of(), delivered);
  }
}
