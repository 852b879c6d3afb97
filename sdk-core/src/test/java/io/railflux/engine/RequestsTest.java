package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.HeapSnapshot;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.engine.stream.Responder;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.message.Headers;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests between two peers: in one ring, over a rail that dies, and at the end of a session. */
class RequestsTest {

  /**
   * Requests and replies in the one mapped ring, which reuses the known free space. State that a request leaves in the
   * reused entry affects no other request.
   */
  @Nested
  class KnownRoom {

    private static final int RING_BYTES = 64 << 10;
    private static final int REQUESTS = 4_000;

    private final TwoEngines engines = TwoEngines.connected(
        Setting.of(SimConfig.mapped()).with(EngineConfig.Limits.DEFAULT.withRingBytes(RING_BYTES)));

    private final List<Boolean> left = new ArrayList<>();
    private final List<Long> replies = new ArrayList<>();
    private final List<Long> failed = new ArrayList<>();

    /** The fate of a request, by number. */
    private enum Kind {
      BARE,
      LONG,
      WITH_HEADERS,
      MAY_EXPIRE,
      FAILS_IN_ITS_CODEC,
      IS_GIVEN_UP,
      FAILS_IN_THE_REPLYS_CODEC;

      static Kind of(long number) {
        return values()[(int) (number % values().length)];
      }
    }

    private final class Asking extends BaseSubscriber<Long> implements Outgoing<Long> {

      private final long number;
      private final Kind kind;

      Asking(long number) {
        this.number = number;
        this.kind = Kind.of(number);
      }

      @Override
      public int maxBodyBytes(Long value) {
        return kind == Kind.LONG ? 1_000 : Long.BYTES;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
        if (kind == Kind.LONG) {
          body.position(body.limit());
        } else if (kind == Kind.IS_GIVEN_UP) {
          cancel();
        } else if (kind == Kind.FAILS_IN_ITS_CODEC) {
          throw new IllegalStateException("on purpose");
        }
      }

      @Override
      public ByteBuffer metadata(Long value) {
        return kind == Kind.WITH_HEADERS
            ? Metadatas.encode(Headers.empty().with("name", "value"), Map.of())
            : null;
      }

      @Override
      public long timeToLiveNanos(Long value) {
        return kind == Kind.MAY_EXPIRE ? 10 * TwoEngines.MILLIS : 0;
      }

      @Override
      protected void hookOnNext(Long reply) {
        replies.add(reply);
      }

      @Override
      protected void hookOnError(Throwable error) {
        failed.add(number);
      }
    }

    private static final Outgoing<Long> REPLY = new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return Long.BYTES;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(~value);
        if (Kind.of(value) == Kind.FAILS_IN_THE_REPLYS_CODEC) {
          throw new IllegalStateException("on purpose");
        }
        body.putLong(body.position() - Long.BYTES, value);
      }
    };

    private void ask(long number) {
      var route = new Exchanges.RouteKey("prompt", "number", "number");
      Asking asking = new Asking(number);
      ReceivePipeline.assembleSingle(
              new PeerFlux.Replies<>(engines.nearChannel.streams(), route, number, asking),
              frame -> frame.body().getLong())
          .subscribe(asking);
    }

    private static List<Long> numbers(Kind... kinds) {
      return LongStream.range(0, REQUESTS)
          .filter(number -> List.of(kinds).contains(Kind.of(number)))
          .boxed()
          .toList();
    }

    @Test
    void requestsOfAllKindsAreAnsweredInOrder() {
      engines.far.engine().respond("prompt", new PromptResponder(engines, REPLY, true, left));
      for (long number = 0; number < REQUESTS; number++) {
        long asked = number;
        engines.near.run(() -> ask(asked));
        if (number % 5 == 0) {
          engines.awaitQuiet();
        }
      }
      engines.awaitQuiet();

      assertIterableEquals(
          numbers(Kind.BARE, Kind.LONG, Kind.WITH_HEADERS, Kind.MAY_EXPIRE), replies);
      assertEquals(
          numbers(Kind.FAILS_IN_ITS_CODEC, Kind.FAILS_IN_THE_REPLYS_CODEC).size(), failed.size());
      assertEquals(replies.size(), left.stream().filter(gone -> gone).count());
      assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
      assertTrue(
          engines.nearChannel.live().get(0).writer().ring().written() > 2 * RING_BYTES,
          "one round");
    }
  }

  /** A large request that lands at any moment around the end of its session has no recipient for an answer. */
  @Nested
  class LateRequests {

    private static final int BYTES = 300_000;

    private static final int BUDGET_BYTES = 1 << 20;

    /** Upper bound of the time from the request to its landing. */
    private static final long LATEST_NANOS = 200_000;

    private static final Outgoing<Integer> ZEROES = new Outgoing<>() {
      @Override
      public int maxBodyBytes(Integer bytes) {
        return bytes;
      }

      @Override
      public void encode(Integer bytes, ByteBuffer body) {
        body.put(new byte[bytes]);
      }
    };

    private int answered;
    private int late;

    private Responder responder(TwoEngines engines) {
      return new Responder() {
        @Override
        public String requestCodec() {
          return "bytes";
        }

        @Override
        public String replyCodec() {
          return "bytes";
        }

        @Override
        public boolean single() {
          return true;
        }

        @Override
        public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
          boolean isThere = engines.farChannel.state() == SessionLifecycle.State.ESTABLISHED;
          answered += isThere ? 1 : 0;
          late += isThere ? 0 : 1;
        }
      };
    }

    private TwoEngines requesting(int bytes) {
      EngineConfig.Large read = EngineConfig.Large.DEFAULT
          .withMode(Rendezvous.READ)
          .withSendBudgetBytes(BUDGET_BYTES)
          .withReceiveBudgetBytes(BUDGET_BYTES);
      TwoEngines engines = TwoEngines.connected(Setting.of(SimConfig.rdma()).with(read));
      engines.far.engine().respond("zeroes", responder(engines));
      var route = new Exchanges.RouteKey("zeroes", "bytes", "bytes");
      engines.near.run(() -> ReceivePipeline.assemble(
              new PeerFlux.Replies<>(engines.nearChannel.streams(), route, bytes, ZEROES),
              frame -> 0)
          .subscribe(reply -> {}, error -> {}));
      return engines;
    }

    private void requestAndAbortAfter(long nanos) {
      TwoEngines engines = requesting(BYTES);
      engines.pass(nanos);
      engines.far.run(() -> engines.farChannel.abort("enough"));
      engines.pass(TwoEngines.MILLIS);
      assertEquals(
          0, engines.far.engine().landingMemory().outstandingBytes(), () -> "after " + nanos);
    }

    @Test
    @Tag("RV2")
    void isNeitherAnsweredNorRetained() {
      int times = 0;
      for (long nanos = 0; nanos < LATEST_NANOS; nanos += 250) {
        requestAndAbortAfter(nanos);
        times++;
      }
      assertEquals(0, late, "answered after the session had ended");
      int landed = answered;
      int of = times;
      assertTrue(landed > 0 && landed < of, () -> landed + " of " + of + " landed before");
    }

    /** The test retains both channels. The budgets, within which pools keep memory, are smaller than the request. */
    @Test
    @Tag("RV1")
    void leavesNoMemoryInRetainedChannels() {
      TwoEngines engines = requesting(6 * BUDGET_BYTES);
      engines.await(() -> engines.far.engine().landingMemory().outstandingBytes() > 0);
      engines.far.run(() -> engines.farChannel.abort("enough"));
      engines.await(() -> engines.nearChannel.isClosed());
      engines.pass(10 * TwoEngines.MILLIS);

      assertEquals(List.of(), HeapSnapshot.take().largeMemory(5 * BUDGET_BYTES, Set.of()));
      assertTrue(engines.farChannel.isClosed());
      assertEquals(0, answered);
    }
  }

  /** The only reply to a request, if it is available when the request arrives, is sent without its own stream. */
  @Nested
  class RepliesOverARailThatDies {

    private static final int REQUESTS = 100;

    private final TwoEngines engines =
        TwoEngines.connected(Setting.of(SimConfig.rdma().withRails(2)));

    /** For replies that could be sent immediately, whether they were. */
    private final List<Boolean> left = new ArrayList<>();

    private final List<Long> replies = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private int completed;

    private Mono<Long> request(long number) {
      var route = new Exchanges.RouteKey("prompt", "number", "number");
      return ReceivePipeline.assembleSingle(
          new PeerFlux.Replies<>(
              engines.nearChannel.streams(), route, number, NumberResponder.NUMBER),
          frame -> frame.body().getLong());
    }

    private void ask(long number) {
      engines.near.run(
          () -> request(number).subscribe(replies::add, failures::add, () -> completed++));
    }

    @Test
    @Tag("FT3")
    void eachReplyArrivesOnceAlthoughItsRailDies() {
      engines
          .far
          .engine()
          .respond("prompt", new PromptResponder(engines, NumberResponder.NUMBER, true, left));
      engines.link(0).blackHoleFrom(engines.far.host());
      for (long number = 0; number < REQUESTS; number++) {
        ask(number);
      }
      engines.await(() -> completed == REQUESTS || engines.nearChannel.isClosed());

      assertFalse(engines.nearChannel.isClosed(), "the session ended");
      Collections.sort(replies);
      assertEquals(LongStream.range(0, REQUESTS).boxed().toList(), replies);
      assertEquals(Collections.nCopies(REQUESTS, true), left);
      assertTrue(engines.farChannel.counters().framesReplayed() > 0, "no reply was lost");
    }
  }

  /** The limit of concurrent requests of a peer, and the requests that count. */
  @Nested
  class LimitOverARailThatDies {

    private static final int LIMIT = 4;
    private static final int REQUESTS = 500;

    private final TwoEngines engines =
        TwoEngines.connected(Setting.of(SimConfig.rdma().withRails(3))
            .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(LIMIT)));

    private int begun;
    private int ended;

    private Flux<Long> request() {
      var route = new Exchanges.RouteKey("one", "number", "number");
      return ReceivePipeline.assemble(
          new PeerFlux.Replies<>(engines.nearChannel.streams(), route, 1L, NumberResponder.NUMBER),
          frame -> frame.body().getLong());
    }

    /** Sends one of the requests that repeat as soon as they are answered. */
    private void ask() {
      if (begun == REQUESTS) {
        return;
      }
      begun++;
      request()
          .doFinally(signal -> {
            ended++;
            ask();
          })
          .subscribe(number -> assertEquals(1, number));
    }

    /** They are acknowledged only after earlier replies, which are lost. */
    @ParameterizedTest(name = "single: {0}")
    @ValueSource(booleans = {true, false})
    @Tag("FT3")
    void receivedRepliesDoNotCountBeforeTheirAcknowledgement(boolean single) {
      engines.far.engine().respond("one", new NumberResponder(engines.far, single, Flux.just(1L)));
      engines.link(0).blackHoleFrom(engines.far.host());
      engines.near.run(() -> {
        for (int i = 0; i < LIMIT; i++) {
          ask();
        }
      });

      engines.await(() -> ended == REQUESTS || engines.nearChannel.isClosed());

      assertFalse(engines.nearChannel.isClosed(), "the session ended");
      assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
      engines.awaitQuiet();
      assertEquals(0, engines.farChannel.streams().exchanges().serving());
    }
  }
}
