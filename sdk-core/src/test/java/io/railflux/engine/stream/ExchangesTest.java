package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.ArrivedFrames;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RejectFrame;
import io.railflux.wire.RequestBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

// More than 400 lines: a specification: one test method for each sentence.
/** Requests to a peer and replies to its requests. */
class ExchangesTest {

  private static final int LIMIT = 4;
  private static final int REQUESTS = 500;
  private static final int LARGE_BYTES = 300_000;
  private static final String ROUTE = "route";
  private static final Outgoing<Long> NUMBER = Numbers.outgoing(number -> Long.BYTES);

  private final FakeSession session = session();
  private final Exchanges exchanges = session.streams.exchanges();

  private static FakeSession session() {
    FakeSession session = new FakeSession(new FakeEngineContext(new EngineConfig(
        "near",
        EngineConfig.Limits.DEFAULT.withMaxExchanges(LIMIT),
        EngineConfig.Timing.DEFAULT,
        StripingPolicy::roundRobin)));
    session.join(SimConfig.rdma().capabilities());
    return session;
  }

  @Nested
  class Requests {

    private final List<Long> replies = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    private Flux<Long> request(Outgoing<Long> outgoing) {
      return ReceivePipeline.assemble(
          new PeerFlux.Replies<>(
              session.streams, new Exchanges.RouteKey(ROUTE, "number", "number"), 7L, outgoing),
          frame -> frame.body().getLong());
    }

    private Disposable ask() {
      return request(NUMBER).subscribe(replies::add, failures::add);
    }

    private SentFrame lastSent() {
      List<SentFrame> sent = session.sent();
      return sent.get(sent.size() - 1);
    }

    private void reply(long id, long number) throws ProtocolViolation {
      session.streams.onData(
          ArrivedFrames.number(FrameFlags.REPLY | FrameFlags.LAST, id, 0, number));
    }

    @Test
    void announcesARouteOnceBeforeItsFirstRequest() {
      ask();
      ask();

      assertEquals(List.of("OPEN", "REQUEST", "REQUEST"), session.sentTypes());
    }

    @Test
    void replyEndsItsRequest() throws ProtocolViolation {
      ask();
      SentFrame request = lastSent();
      assertEquals(7, request.body().getLong(RequestBody.ROUTE_ID_BYTES));
      assertEquals(1, exchanges.inFlight());
      reply(request.streamId(), 42);

      assertEquals(List.of(42L), replies);
      assertEquals(0, exchanges.inFlight());
    }

    @Test
    void requestsInFlightAreLimitedByThePeer() throws ProtocolViolation {
      for (int i = 0; i <= LIMIT; i++) {
        ask();
      }
      SentFrame last = lastSent();
      assertEquals(LIMIT, exchanges.inFlight());
      assertEquals(1, exchanges.waiting());
      reply(last.streamId(), 1);
      session.work();

      assertEquals(LIMIT, exchanges.inFlight());
      assertEquals(0, exchanges.waiting());
    }

    /** As with time-outs and retries behind a request without either. */
    @Test
    void requestsCancelledBehindAWaitingOneAreNotKept() {
      for (int i = 0; i <= LIMIT; i++) {
        ask();
      }
      for (int i = 0; i < REQUESTS; i++) {
        ask().dispose();
        session.work();
      }

      assertEquals(1, exchanges.waiting());
      assertEquals(LIMIT, exchanges.inFlight());
    }

    @ParameterizedTest(name = "{0} B")
    @ValueSource(ints = {Long.BYTES, LARGE_BYTES})
    void requestCancelledByItsCodecIsNotSent(int bytes) {
      BaseSubscriber<Long> fickle = new BaseSubscriber<>() {};
      request(Numbers.outgoing(number -> bytes, number -> fickle.cancel())).subscribe(fickle);
      session.work();

      assertEquals(0, exchanges.inFlight());
      assertEquals(0, session.engine.sourceMemory().outstandingBytes());
      assertEquals(List.of("OPEN"), session.sentTypes());
    }

    @Test
    void cancelIsSentToThePeer() {
      Disposable request = ask();
      session.sent();
      request.dispose();

      assertEquals(List.of("CANCEL"), session.sentTypes());
      assertEquals(0, exchanges.inFlight());
    }

    @Test
    void rejectedRouteFailsItsRequestsAndIsAnnouncedAgain() throws ProtocolViolation {
      ask();
      long route = session.sent().get(0).streamId();
      session.streams.onReject(route, new RejectFrame(RejectFrame.NO_SUCH_ROUTE, "nobody"));
      assertInstanceOf(StreamRejectedException.class, failures.get(0));
      session.sent();
      ask();

      assertEquals(List.of("OPEN", "REQUEST"), session.sentTypes());
    }

    @Test
    void lossOfThePeerFailsSentAndWaitingRequests() {
      for (int i = 0; i <= LIMIT; i++) {
        ask();
      }
      session.streams.failAll(new StreamFailure(StreamFailure.Kind.CLOSED, "on purpose"));

      assertEquals(LIMIT + 1, failures.size());
      failures.forEach(failure -> assertInstanceOf(PeerClosedException.class, failure));
      assertEquals(0, exchanges.inFlight() + exchanges.waiting());
    }

    @Test
    void failedEncodingAffectsItsRequestOnly() {
      request(Numbers.outgoing(number -> Long.BYTES, number -> {
            throw new IllegalStateException("on purpose");
          }))
          .subscribe(replies::add, failures::add);
      ask();
      session.engine.runTasks();

      assertEquals("on purpose", failures.get(0).getMessage());
      assertEquals(1, exchanges.inFlight());
      assertEquals(List.of("OPEN", "REQUEST"), session.sentTypes());
    }
  }

  /** Replies with the number of the request, immediately if possible. */
  private class Answering implements Responder {

    private final Outgoing<Long> outgoing;
    private final boolean single;
    private final Flux<Long> otherwise;
    final List<Boolean> left = new ArrayList<>();

    Answering(Outgoing<Long> outgoing, boolean single, Flux<Long> otherwise) {
      this.outgoing = outgoing;
      this.single = single;
      this.otherwise = otherwise;
    }

    @Override
    public String requestCodec() {
      return "number";
    }

    @Override
    public String replyCodec() {
      return "number";
    }

    @Override
    public boolean single() {
      return single;
    }

    @Override
    public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
      ByteBuffer body = request.body();
      left.add(
          exchange.reply(body.getLong(body.position() + RequestBody.ROUTE_ID_BYTES), outgoing));
      if (!left.get(left.size() - 1)) {
        stream(exchange);
      }
    }

    void stream(Responder.Exchange exchange) {
      OutboundStream stream = exchange.replies(ROUTE, new RecordingSink(), Context.empty());
      Numbers.send(session, otherwise, stream, outgoing);
    }
  }

  @Nested
  class Replies {

    private static final long ROUTE_ID = 1;

    private long lastId = ROUTE_ID;

    private Answering serve(Outgoing<Long> outgoing, boolean single) throws ProtocolViolation {
      return serve(new Answering(outgoing, single, Flux.just(7L)));
    }

    private Answering serve(Answering responder) throws ProtocolViolation {
      session.responders.put(ROUTE, responder);
      session.streams.onOpen(
          ArrivedFrames.of(FrameType.OPEN, 0, ROUTE_ID, 0),
          new OpenFrame(OpenFrame.ROUTE, ROUTE, "number", "number"));
      return responder;
    }

    private void request(long demand) throws ProtocolViolation {
      exchanges.onRequest(ArrivedFrames.request(0, ++lastId, ROUTE_ID, demand, 7));
    }

    /** Asserts that a stream carries the reply. */
    private void assertUsesAStream(Answering responder) throws ProtocolViolation {
      request(1);
      assertEquals(List.of(false), responder.left);
      for (int i = 0; i < 3; i++) {
        session.work();
      }
      assertTrue(exchanges.serving() == 1 || session.sentTypes().contains("DATA"));
    }

    @Test
    void keepsNoStateForASentReply() throws ProtocolViolation {
      Answering responder = serve(NUMBER, true);
      request(1);

      assertEquals(List.of(true), responder.left);
      assertEquals(0, exchanges.serving());
      SentFrame reply = session.sent().get(0);
      assertTrue(reply.isLast());
      assertEquals(7, reply.body().getLong());
      assertEquals(lastId, reply.streamId());
    }

    @Test
    void largeReplyUsesAStream() throws ProtocolViolation {
      int large = session.sendPath.eagerLimitBytes() + 1;
      assertUsesAStream(serve(Numbers.outgoing(number -> large), true));
      session.work();
      assertTrue(session.sentTypes().contains("RNDZ_START"));
    }

    @Test
    void replyWithATimeToLiveUsesAStream() throws ProtocolViolation {
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
          return 1_000_000;
        }
      };
      assertUsesAStream(serve(timed, true));
    }

    @Test
    void severalRepliesUseAStream() throws ProtocolViolation {
      assertUsesAStream(serve(NUMBER, false));
    }

    @Test
    void replyTakesItsTurnBehindWaitingStreams() throws ProtocolViolation {
      Answering responder = serve(NUMBER, true);
      OutboundStream other = Numbers.open(session, "numbers", Flux.just(1L), new RecordingSink());
      other.demand(1, false);
      request(1);

      assertEquals(List.of(false), responder.left);
      session.work();
      assertEquals(1, other.messages());
    }

    @Test
    void replyDoesNotOvertakeAReplay() throws ProtocolViolation {
      Answering responder = serve(NUMBER, true);
      session.replaying = true;
      request(1);

      assertEquals(List.of(false), responder.left);
    }

    @Test
    void replyWaitsForTheDemandOfTheRequester() throws ProtocolViolation {
      Answering responder = serve(NUMBER, true);
      request(0);
      session.work();
      assertEquals(List.of(false), responder.left);
      assertEquals(List.of(), session.sentTypes());

      session.streams.onDemand(ArrivedFrames.of(FrameType.DEMAND, 0, lastId, 1));
      session.work();
      assertEquals(List.of("DATA"), session.sentTypes());
    }

    @Test
    void replyDoesNotWaitForLaterRequests() throws ProtocolViolation {
      List<Long> repliesBefore = new ArrayList<>();
      Flux<Long> answer = Flux.defer(() -> {
        repliesBefore.add(session.counters().messagesSent());
        return Flux.just(1L);
      });
      serve(new Answering(NUMBER, true, answer) {
        @Override
        public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
          stream(exchange);
        }
      });
      for (int i = 0; i < 3; i++) {
        request(1);
      }

      assertEquals(List.of(0L, 1L, 2L), repliesBefore);
    }

    /** Lost earlier replies delay the acknowledgement of later ones. */
    @ParameterizedTest(name = "single: {0}")
    @ValueSource(booleans = {true, false})
    void sentRepliesDoNotCountBeforeTheirAcknowledgement(boolean single) throws ProtocolViolation {
      serve(NUMBER, single);
      for (int i = 0; i < REQUESTS; i++) {
        request(1);
        session.work();
        session.sent();
        session.rails.get(0).credit();
        session.rails.get(0).complete();
      }
      session.acknowledgeAll();

      assertEquals(0, exchanges.serving());
    }

    @Test
    void moreThanTwiceTheLimitIsAViolation() throws ProtocolViolation {
      serve(new Answering(NUMBER, false, Flux.never()));
      for (int i = 0; i < 2 * LIMIT; i++) {
        request(1);
      }
      assertEquals(2 * LIMIT, exchanges.serving());

      assertThrows(ProtocolViolation.class, () -> request(1));
    }

    @Test
    void cancelledRequestDoesNotCount() throws ProtocolViolation {
      serve(new Answering(NUMBER, false, Flux.never()));
      for (int i = 0; i < REQUESTS; i++) {
        request(1);
        assertEquals(1, exchanges.serving());
        session.streams.onCancel(ArrivedFrames.of(FrameType.CANCEL, 0, lastId, 0));
        assertEquals(0, exchanges.serving());
      }
    }

    @Test
    void cancelsTheSourceWithTheRequest() throws ProtocolViolation {
      Sinks.Many<Long> source = Sinks.many().multicast().onBackpressureBuffer();
      serve(new Answering(NUMBER, false, source.asFlux()));
      request(1);
      session.work();
      assertEquals(1, source.currentSubscriberCount());
      session.streams.onCancel(ArrivedFrames.of(FrameType.CANCEL, 0, lastId, 0));

      assertEquals(0, source.currentSubscriberCount());
    }

    @Test
    void unknownRouteIsRejected() throws ProtocolViolation {
      session.streams.onOpen(
          ArrivedFrames.of(FrameType.OPEN, 0, ROUTE_ID, 0),
          new OpenFrame(OpenFrame.ROUTE, "unknown", "number", "number"));

      assertEquals(List.of("REJECT"), session.sentTypes());
    }

    @Test
    void routeWithOtherCodecsIsRejected() throws ProtocolViolation {
      session.responders.put(ROUTE, new Answering(NUMBER, true, Flux.never()));
      session.streams.onOpen(
          ArrivedFrames.of(FrameType.OPEN, 0, ROUTE_ID, 0),
          new OpenFrame(OpenFrame.ROUTE, ROUTE, "text", "number"));

      assertEquals(List.of("REJECT"), session.sentTypes());
    }

    @Test
    void closingSideRejectsRequests() throws ProtocolViolation {
      Answering responder = serve(NUMBER, true);
      session.closing = true;
      request(1);

      assertEquals(List.of("REJECT"), session.sentTypes());
      assertEquals(List.of(), responder.left);
      assertFalse(exchanges.serving() > 0);
    }

    @BeforeEach
    void nothingWasSent() {
      assertEquals(List.of(), session.sent());
    }
  }
}
