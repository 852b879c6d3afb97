package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DataFrames;
import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.stream.InboundStream;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.BaseSubscriber;

/** Messages that wait for earlier ones, and their copies. */
class HeldFramesTest {

  private static final int FRAME_BYTES = FrameHeader.BYTES + Long.BYTES;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.rdma());
  private final List<Long> delivered = new ArrayList<>();
  private final BaseSubscriber<ReceivedFrame> subscriber = new BaseSubscriber<>() {
    @Override
    protected void hookOnNext(ReceivedFrame frame) {
      long number = frame.buffer().getLong(frame.bodyOffset());
      delivered.add(number);
      if (number == ending) {
        engines.farChannel.abort("on purpose");
      }
    }
  };
  private final HeldFrames.Budget budget = new HeldFrames.Budget(3 * FRAME_BYTES);
  private final HeldFrames held = new HeldFrames(budget);
  private long ending = -1;
  private InboundStream stream;

  private void open(long firstSeq) {
    stream =
        new InboundStream(engines.farChannel.streams(), "numbers", "numbers", false, subscriber);
    engines.far.run(() -> {
      subscriber.onSubscribe(stream);
      stream.opened(1, firstSeq);
    });
    engines.pass(TwoEngines.MILLIS);
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

  /** In the middle of a batch, and as its last message. */
  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void deliversNothingAfterTheMessageThatEndsTheSession(long last) {
    HeldFrames large = new HeldFrames(new HeldFrames.Budget(1_000));
    large.hold(DataFrames.batch(5, 5, 6, 7), 0);
    large.hold(DataFrames.of(8), 0);
    ending = last;
    stream =
        new InboundStream(engines.farChannel.streams(), "numbers", "numbers", false, subscriber);
    // During the work of the session, so that the session ends afterwards.
    Flow flow = engines.flow("trigger").send(1);
    flow.onReceived = n -> {
      subscriber.onSubscribe(stream);
      stream.opened(99, 5);
      deliverTo(stream, large);
    };
    flow.receive();
    engines.await(flow.sink::ended);

    assertEquals(LongStream.rangeClosed(5, last).boxed().toList(), delivered);
  }

  private static void deliverTo(InboundStream stream, HeldFrames held) {
    try {
      held.deliverTo(stream, 0);
    } catch (ProtocolViolation e) {
      throw new AssertionError(e);
    }
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
