package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.rendezvous.RendezvousSends;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.stream.OutboundStream.State;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ErrorFrame;
import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.RejectFrame;
import io.railflux.wire.RendezvousDone;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

// More than 400 lines: a specification: one test method for each sentence.
/** The sending half of a stream: state transitions (D7), demand and turns. */
class OutboundStreamTest {

  private static final int LARGE_BYTES = 300_000;

  private final FakeSession session = FakeSession.over(SimConfig.rdma().capabilities());
  private final Sinks.Many<Long> source = Sinks.many().unicast().onBackpressureBuffer();
  private final RecordingSink sink = new RecordingSink();
  private OutboundStream out;

  private void open() {
    out = Numbers.open(session, "numbers", source.asFlux(), sink);
    session.work();
    assertEquals(State.OPENING, out.state());
    assertEquals(List.of("OPEN"), session.sentTypes());
  }

  private void flowing() {
    open();
    out.demand(0, true);
    session.work();
    assertEquals(State.FLOWING, out.state());
  }

  private void emit(long... numbers) {
    LongStream.of(numbers).forEach(number -> source.tryEmitNext(number).orThrow());
    session.work();
  }

  private static Flux<Long> upTo(int count) {
    return Flux.range(0, count).map(Integer::longValue);
  }

  /** State transitions. */
  @Nested
  class States {

    private final IllegalStateException givenUp = new IllegalStateException("gave up");

    private void complete() {
      source.tryEmitComplete().orThrow();
      assertFalse(out.state().takesMessages());
    }

    private void giveUp() {
      out.cancel(givenUp);
      assertFalse(out.state().takesMessages());
    }

    /** Leaves no space for the frame that ends a stream. */
    private void fillTheRing() {
      while (!session.control.isBlocked()) {
        session.control.send(new ControlFrame(FrameType.GOODBYE + 100, 0x80, 0, 0));
        session.rails.get(0).complete();
      }
    }

    private void assertCancelledAfter(long acknowledged) {
      var cancelled = assertInstanceOf(StreamCancelledException.class, sink.failure);
      assertEquals(acknowledged, cancelled.acknowledgedCount());
      assertEquals(State.ENDED, out.state());
      assertEquals(List.of(), session.streams.outbound());
    }

    @Test
    void openingEndsWithTheFirstDemand() {
      out = Numbers.open(session, "numbers", upTo(10), sink);
      session.work();
      assertEquals(State.OPENING, out.state());
      assertEquals(0, out.messages());

      out.demand(1, false);
      session.work();

      assertEquals(State.FLOWING, out.state());
      assertEquals(1, out.messages());
      assertEquals(List.of("OPEN", "DATA"), session.sentTypes());
    }

    @Test
    void openingCompletesWithoutDemand() {
      open();
      complete();
      assertFalse(sink.ended());

      session.acknowledgeAll();

      assertEquals(State.ENDED, out.state());
      assertTrue(sink.completed);
    }

    @Test
    void openingFailsWithoutDemand() {
      open();
      giveUp();
      assertFalse(sink.ended());

      session.acknowledgeAll();

      assertEquals(State.ENDED, out.state());
      assertEquals(givenUp, sink.failure);
    }

    @Test
    void openingEndsWithARejection() throws ProtocolViolation {
      open();
      RecordingSink ofSecond = new RecordingSink();
      OutboundStream second = Numbers.open(session, "numbers", upTo(1), ofSecond);

      session.streams.onReject(second.id, new RejectFrame(RejectFrame.DUPLICATE_NAME, "taken"));

      assertInstanceOf(StreamRejectedException.class, ofSecond.failure);
      assertEquals(State.ENDED, second.state());
      assertEquals(State.OPENING, out.state());
    }

    @Test
    void flowingEndsWithAFarCancel() throws ProtocolViolation {
      flowing();
      emit(0, 1);

      out.cancelledByPeer(2);

      assertCancelledAfter(2);
      assertEquals(2, sink.acknowledged, "the cancel implies their delivery");
    }

    @Test
    void cancelBeyondTheSentMessagesIsAViolation() {
      flowing();
      emit(0, 1);

      assertThrows(ProtocolViolation.class, () -> out.cancelledByPeer(3));
    }

    @Test
    void completingLastsUntilEverythingIsAcknowledged() {
      flowing();
      emit(0);
      complete();
      session.window.acknowledge(session.window.next() - 1);
      assertEquals(State.HALF_CLOSED, out.state());
      assertEquals(1, sink.acknowledged);
      assertFalse(sink.ended());

      session.acknowledgeAll();

      assertEquals(State.ENDED, out.state());
      assertTrue(sink.completed);
      assertEquals(1, sink.acknowledged);
    }

    @Test
    void endingLastsUntilThereIsSpaceForTheEnd() {
      flowing();
      fillTheRing();
      complete();
      assertEquals(State.ENDING, out.state());
      while (!sink.ended()) {
        session.acknowledgeAll();
        session.work();
      }

      assertEquals(State.ENDED, out.state());
      assertTrue(sink.completed);
    }

    @Test
    void completingEndsWithAFarCancel() throws ProtocolViolation {
      flowing();
      complete();

      out.cancelledByPeer(0);

      assertCancelledAfter(0);
    }

    @Test
    void failingLastsUntilTheErrorIsAcknowledged() throws MalformedFrameException {
      flowing();
      giveUp();
      SentFrame error = session.sent().get(0);
      assertEquals(FrameType.ERROR, error.type());
      assertEquals("gave up", ErrorFrame.decode(error.body()).message());
      assertNull(sink.failure);

      session.acknowledgeAll();

      assertEquals(givenUp, sink.failure);
    }

    @Test
    void failingEndsWithAFarCancel() throws ProtocolViolation {
      flowing();
      giveUp();

      out.cancelledByPeer(0);

      assertCancelledAfter(0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ENDED")
    void everyStateEndsWithThePeer(State state) {
      if (state == State.OPENING) {
        open();
      } else {
        flowing();
      }
      if (state == State.ENDING) {
        fillTheRing();
        giveUp();
      } else if (state == State.HALF_CLOSED) {
        complete();
      }
      assertEquals(state, out.state());

      session.streams.failAll(new StreamFailure(StreamFailure.Kind.CLOSED, "on purpose"));

      assertEquals(State.ENDED, out.state());
      assertInstanceOf(DeliveryUnknownException.class, sink.failure);
    }

    @Test
    void drainSendsPulledMessagesBeforeTheReason() {
      out = Numbers.open(session, "numbers", upTo(1_000), sink);
      out.demand(5, false);
      session.work();
      session.sent();
      out.drain(givenUp);
      session.work();

      assertEquals(State.HALF_CLOSED, out.state());
      assertEquals(5, out.messages());
      assertEquals(List.of("ERROR"), session.sentTypes());
    }
  }

  @Test
  void concurrentMessagesShareAFrame() {
    flowing();
    out = Numbers.open(session, "others", upTo(100), new RecordingSink());
    out.demand(0, true);
    session.work();

    List<SentFrame> sent = session.sent();
    assertEquals("BATCH", sent.get(1).name());
    assertEquals(100, sent.get(1).messages());
  }

  @Test
  void sourceReceivesNoMoreThanTheDemandOfThePeer() {
    long[] asked = new long[1];
    out =
        Numbers.open(session, "numbers", upTo(1_000).hide().doOnRequest(n -> asked[0] += n), sink);
    long requested = 0;
    for (int n : new int[] {1, 5, 300, 1}) {
      requested += n;
      out.demand(requested, false);
      while (session.work() > 0) {
        session.acknowledgeAll();
      }

      assertEquals(requested, out.messages());
      assertEquals(requested, asked[0]);
      assertEquals(0, out.openDemand());
    }
  }

  @Test
  void outdatedDemandHasNoEffect() {
    open();
    out.demand(7, false);
    out.demand(3, false);

    assertEquals(7, out.openDemand());
  }

  @Test
  void continuesWhenSpaceIsFreed() {
    out =
        Numbers.open(session, "numbers", upTo(1_000_000), sink, Numbers.outgoing(number -> 1_000));
    out.demand(0, true);
    while (session.work() > 0) {
      session.rails.get(0).complete();
    }
    long sent = out.messages();
    assertTrue(sent * 1_000 < 2L << 20);
    assertEquals(0, session.work());
    session.acknowledgeAll();
    session.work();

    assertTrue(out.messages() > sent);
  }

  /** An error that Reactor treats as fatal affects its stream only. */
  @Test
  void failureAfterARequestForFreedSpaceAffectsItsStreamOnly() {
    boolean[] fails = new boolean[1];
    Flux<Long> endless = Flux.range(0, Integer.MAX_VALUE).map(number -> {
      if (fails[0]) {
        throw new NoClassDefFoundError("expected");
      }
      return number.longValue();
    });
    out = Numbers.open(session, "numbers", endless, sink, Numbers.outgoing(number -> 1_000));
    out.demand(0, true);
    while (session.work() > 0) {
      session.rails.get(0).complete();
    }
    fails[0] = true;
    session.acknowledgeAll();
    session.work();
    session.acknowledgeAll();

    assertInstanceOf(NoClassDefFoundError.class, sink.failure);
    assertEquals(List.of(), session.violations);
  }

  @Nested
  @Tag("RV1")
  class LargeMessages {

    private void done(long transfer) throws ProtocolViolation {
      session.rendezvous.sends().onDone(transfer, RendezvousDone.of(RendezvousDone.ARRIVED));
      session.work();
    }

    /** A stream continues when it may send another large message. */
    @Test
    void continueWhenAnEarlierSmallOneIsAcknowledgedLast() throws ProtocolViolation {
      out = Numbers.open(
          session,
          "mixed",
          upTo(200),
          sink,
          Numbers.outgoing(number -> number == 0 ? Long.BYTES : LARGE_BYTES));
      out.demand(0, true);
      session.work();
      for (int transfer = 1; transfer <= RendezvousSends.MAX_TRANSFERS; transfer++) {
        done(transfer);
      }
      assertEquals(1 + RendezvousSends.MAX_TRANSFERS, out.messages());
      assertEquals(0, session.rendezvous.sends().underWay());

      out.onAcknowledged(1);
      session.work();

      assertEquals(1 + RendezvousSends.MAX_TRANSFERS, sink.acknowledged);
      assertTrue(out.messages() > 1 + RendezvousSends.MAX_TRANSFERS, "the stream is stuck");
    }

    /** A codec that fails in a large message affects its stream only. */
    @Test
    void messagesSentByAFailingCodecContinue() throws ProtocolViolation {
      RuntimeException failure = new IllegalStateException("on purpose");
      OutboundStream sent = Numbers.open(
          session, "sent", source.asFlux(), sink, Numbers.outgoing(number -> LARGE_BYTES));
      sent.demand(0, true);
      session.work();
      RecordingSink ofFailing = new RecordingSink();
      OutboundStream failing = Numbers.open(
          session,
          "failing",
          upTo(1),
          ofFailing,
          Numbers.outgoing(number -> LARGE_BYTES, number -> {
            source.tryEmitNext(0L).orThrow();
            assertEquals(0, sent.messages(), "sent during the encoding of another message");
            throw failure;
          }));
      failing.demand(0, true);
      session.work();
      session.work();
      session.acknowledgeAll();

      assertSame(failure, ofFailing.failure);
      assertEquals(1, sent.messages());
      done(1);
      assertEquals(1, sink.acknowledged);
      assertEquals(0, session.engine.sourceMemory().outstandingBytes());
    }

    @Test
    void smallMessagesWaitForEarlierLargeOnes() throws ProtocolViolation {
      out = Numbers.open(
          session,
          "mixed",
          upTo(2),
          sink,
          Numbers.outgoing(number -> number == 0 ? LARGE_BYTES : Long.BYTES));
      out.demand(0, true);
      session.work();
      assertEquals(1, out.messages());
      done(1);

      assertEquals(2, out.messages());
      assertEquals(1, sink.acknowledged);
    }

    @Test
    void areAbandonedWithTheirStream() throws ProtocolViolation {
      out = Numbers.open(session, "large", upTo(2), sink, Numbers.outgoing(number -> LARGE_BYTES));
      out.demand(0, true);
      session.work();
      out.cancelledByPeer(0);
      assertTrue(session.engine.sourceMemory().outstandingBytes() > 0, "the peer may still read");
      for (long transfer = session.rendezvous.sends().underWay(); transfer > 0; transfer--) {
        session.rendezvous.sends().onDone(transfer, RendezvousDone.of(RendezvousDone.ABANDONED));
      }

      assertEquals(0, session.engine.sourceMemory().outstandingBytes());
    }
  }

  /** An expired message consumes no demand. */
  @Test
  void expiredMessageIsReportedAndNotSent() {
    Outgoing<Long> timed = new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return Long.BYTES;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
      }

      @Override
      public long timeToLiveNanos(Long value) {
        return 1_000;
      }
    };
    List<Long> expired = new ArrayList<>();
    RecordingSink reports = new RecordingSink() {
      @Override
      public void onExpired(long index) {
        expired.add(index);
      }
    };
    session.failSubchannel(session.rails.get(0).subchannel, "by the test");
    out = Numbers.open(session, "numbers", source.asFlux(), reports, timed);
    out.demand(0, true);
    session.work();
    emit(0);
    session.engine.pass(2_000);
    session.join(SimConfig.rdma().capabilities());
    session.work();

    assertEquals(List.of(0L), expired);
    assertEquals(0, out.messages());
  }

  /** Reentrant calls of a source or a codec. */
  @Nested
  class Reentrancy {

    private final List<Long> encoded = new ArrayList<>();

    @Test
    void sourceMayEndItsStreamAfterEarlierMessages() {
      RuntimeException reason = new IllegalStateException("given up");
      Flux<Long> numbers = upTo(10).doOnNext(number -> {
        if (number == 7) {
          out.cancel(reason);
          out.cancel(reason);
        }
      });
      out = Numbers.open(
          session, "numbers", numbers, sink, Numbers.outgoing(number -> Long.BYTES, encoded::add));
      out.demand(0, true);
      session.work();
      session.acknowledgeAll();

      assertEquals(LongStream.range(0, 7).boxed().toList(), encoded);
      assertEquals(reason, sink.failure);
      assertEquals(7, sink.acknowledged);
    }

    @Test
    void failedEncodingKeepsEarlierMessages() {
      out = Numbers.open(
          session, "numbers", upTo(11), sink, Numbers.outgoing(number -> Long.BYTES, number -> {
            if (number == 10) {
              throw new IllegalArgumentException("on purpose");
            }
          }));
      out.demand(0, true);
      session.work();
      List<SentFrame> sent = session.sent();
      session.acknowledgeAll();

      assertEquals(
          10,
          sent.stream()
              .filter(frame -> FrameType.isMessages(frame.type()))
              .mapToInt(SentFrame::messages)
              .sum());
      assertEquals("ERROR", sent.get(sent.size() - 1).name());
      assertEquals(10, sink.acknowledged);
      assertEquals("on purpose", sink.failure.getMessage());
    }
  }
}
