package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DataFrames;
import io.railflux.engine.RecordingSink;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.fakes.ArrivedFrames;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.RejectFrame;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** The streams of one peer: announcements, rejections and ids. */
class StreamsTest {

  private static final int MAX_STREAMS = 3;

  private final FakeSession session = session();
  private Throwable error;
  private long lastId;

  private static FakeSession session() {
    FakeSession session = new FakeSession(new FakeEngineContext(new EngineConfig(
        "near",
        EngineConfig.Limits.DEFAULT.withMaxStreams(MAX_STREAMS),
        EngineConfig.Timing.DEFAULT,
        StripingPolicy::roundRobin)));
    session.join(SimConfig.rdma().capabilities());
    return session;
  }

  private Disposable subscribe(String name) {
    return new PeerFlux.Messages(session.streams, name, Numbers.CODEC)
        .subscribe(frame -> {}, failure -> error = failure);
  }

  private long announce(String name) throws ProtocolViolation {
    return announce(name, Numbers.CODEC);
  }

  private long announce(String name, String codec) throws ProtocolViolation {
    session.streams.onOpen(
        ArrivedFrames.of(FrameType.OPEN, 0, ++lastId, 0),
        new OpenFrame(OpenFrame.STREAM, name, codec, ""));
    return lastId;
  }

  private void assertRejected(int reason) {
    List<SentFrame> sent = session.sent();
    SentFrame last = sent.get(sent.size() - 1);
    assertEquals("REJECT", last.name());
    assertEquals(lastId, last.streamId());
    try {
      assertEquals(reason, RejectFrame.decode(last.body()).reason());
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  @Nested
  class Announcements {

    @Test
    void openNameIsRejected() throws ProtocolViolation {
      announce("numbers");
      assertEquals(List.of(), session.sent());
      announce("numbers");
      assertRejected(RejectFrame.DUPLICATE_NAME);
    }

    @Test
    void receivedNameIsRejected() throws ProtocolViolation {
      subscribe("numbers");
      announce("numbers");
      announce("numbers");
      assertRejected(RejectFrame.DUPLICATE_NAME);
    }

    @Test
    void streamBeyondTheLimitIsRejected() throws ProtocolViolation {
      subscribe("received");
      announce("received");
      for (int i = 1; i < MAX_STREAMS; i++) {
        announce("parked " + i);
      }
      announce("one more");
      assertRejected(RejectFrame.TOO_MANY_STREAMS);
    }

    @Test
    void endedParkedStreamsMakeRoom() throws ProtocolViolation {
      for (int i = 0; i < 2 * MAX_STREAMS; i++) {
        long id = announce("parked " + i);
        session.streams.onEnd(ArrivedFrames.of(FrameType.COMPLETE, 0, id, 0), null);
      }

      assertEquals(List.of(), session.sent());
    }

    @Test
    void closingSideRejectsStreams() throws ProtocolViolation {
      session.closing = true;
      announce("numbers");
      assertRejected(RejectFrame.CLOSING);
    }

    @Test
    void anotherCodecIsRejectedOnBothSides() throws ProtocolViolation {
      subscribe("numbers");
      announce("numbers", "text");
      session.engine.runTasks();

      assertRejected(RejectFrame.CODEC_MISMATCH);
      assertInstanceOf(StreamRejectedException.class, error);
    }

    @Test
    void idsIncrease() throws ProtocolViolation {
      announce("numbers");
      lastId--;

      assertThrows(ProtocolViolation.class, () -> announce("others"));
    }
  }

  @Nested
  class Subscriptions {

    @Test
    void secondSubscriberOfANameFails() {
      subscribe("numbers");
      assertEquals(null, error);
      subscribe("numbers");
      session.engine.runTasks();

      assertInstanceOf(StreamRejectedException.class, error);
    }

    @Test
    void subscriptionToAClosedSessionFails() {
      session.closed = true;
      subscribe("numbers");
      session.engine.runTasks();

      assertInstanceOf(PeerClosedException.class, error);
      assertEquals(1, session.engine.failedSubscriptions.size());
    }

    @Test
    void invalidNameFails() {
      subscribe("");
      session.engine.runTasks();

      assertInstanceOf(IllegalArgumentException.class, error);
      assertThrows(
          IllegalArgumentException.class,
          () -> Numbers.open(session, "", Flux.never(), new RecordingSink()));
    }
  }

  @Nested
  class UnknownStreams {

    @Test
    void dataOfAnUnopenedStreamIsAViolation() {
      assertThrows(ProtocolViolation.class, () -> session.streams.onData(DataFrames.of(0)));
    }

    @Test
    void framesOfAnEndedStreamAreIgnored() throws ProtocolViolation {
      Disposable subscription = subscribe("numbers");
      announce("numbers");
      subscription.dispose();
      session.streams.onData(DataFrames.of(0));
      session.streams.onEnd(ArrivedFrames.of(FrameType.COMPLETE, 0, lastId, 1), null);

      assertEquals(List.of(), session.streams.inbound());
    }

    @Test
    void demandForAnUnopenedStreamIsAViolation() {
      assertThrows(
          ProtocolViolation.class,
          () ->
              session.streams.onDemand(ArrivedFrames.of(FrameType.DEMAND, FrameFlags.REPLY, 1, 1)));
    }

    @Test
    void rejectionOfAnUnopenedStreamIsAViolation() {
      assertThrows(
          ProtocolViolation.class,
          () -> session.streams.onReject(1, new RejectFrame(RejectFrame.CLOSING, "")));
    }
  }

  @Test
  void drainEndsReceiversAndProducers() throws ProtocolViolation {
    subscribe("received");
    announce("received");
    RecordingSink sink = new RecordingSink();
    Numbers.open(session, "sent", Flux.never(), sink);
    session.sent();
    session.streams.drain();

    assertInstanceOf(PeerClosedException.class, error);
    assertEquals(
        List.of("CANCEL", "ERROR"), session.sentTypes().stream().sorted().toList());
    assertEquals(1, session.streams.sendingCount());
    session.acknowledgeAll();
    assertTrue(sink.failure instanceof PeerClosedException);
    assertEquals(0, session.streams.sendingCount());
  }

  @Test
  void streamsHaveTurnsWhileTheyWaitForThem() {
    assertFalse(session.streams.hasTurns());
    OutboundStream out = Numbers.open(session, "sent", Flux.just(1L, 2L), new RecordingSink());
    out.demand(1, false);
    assertTrue(session.streams.hasTurns());
    session.work();

    assertFalse(session.streams.hasTurns());
  }
}
