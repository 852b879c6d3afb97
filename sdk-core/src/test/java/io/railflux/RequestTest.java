package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.exceptions.StreamRejectedException.Reason;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

// More than 400 lines: a specification with one test method for each statement.
/** One request with at most one reply. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RequestTest {

  private static final Route<String, String> ECHO =
      new Route<>("echo", Codecs.utf8(), Codecs.utf8());
  private static final Route<Integer, Integer> SQUARE =
      new Route<>("square", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void verifyError(Mono<?> reply, Class<? extends Throwable> type) {
    StepVerifier.create(reply).expectError(type).verify(Nodes.PATIENCE);
  }

  private static void assertAlive(Nodes.Pair pair) {
    Route<Integer, Integer> alive = new Route<>("alive", Codecs.int32(), Codecs.int32());
    var serving = pair.server().respond(alive, Mono::just);
    assertEquals(5, pair.toServer().request(alive, 5).block(Nodes.PATIENCE));
    serving.dispose();
  }

  @Test
  void replyArrives() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> Mono.just(text + "!"));

    assertEquals("hello!", pair.toServer().request(ECHO, "hello").block(Nodes.PATIENCE));
  }

  @Test
  void bothSidesMayRespond() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> Mono.just("server " + text));
    pair.client().respond(ECHO, text -> Mono.just("client " + text));

    assertEquals("server x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
    assertEquals("client y", pair.toClient().request(ECHO, "y").block(Nodes.PATIENCE));
  }

  @Test
  void manyRequestsAreAnsweredConcurrently() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(SQUARE, n -> Mono.just(n * n).publishOn(Schedulers.parallel()));

    List<Integer> replies = Flux.range(0, 20_000)
        .flatMapSequential(n -> pair.toServer().request(SQUARE, n), 512)
        .collectList()
        .block(Nodes.PATIENCE);

    assertEquals(Flux.range(0, 20_000).map(n -> n * n).collectList().block(), replies);
  }

  @Test
  void requestsBeyondTheLimitWait() {
    Nodes.Pair pair = nodes.pair(config -> config.maxExchanges(4));
    AtomicInteger serving = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    pair.server()
        .respond(
            SQUARE,
            n -> Mono.just(n * n)
                .doOnSubscribe(s -> most.accumulateAndGet(serving.incrementAndGet(), Math::max))
                .delayElement(Duration.ofMillis(2))
                .doFinally(s -> serving.decrementAndGet()));

    List<Integer> replies = Flux.range(0, 200)
        .flatMapSequential(n -> pair.toServer().request(SQUARE, n), 200)
        .collectList()
        .block(Nodes.PATIENCE);

    assertEquals(200, replies.size());
    assertTrue(most.get() <= 8, () -> most + " concurrently");
  }

  @Test
  void emptyResultIsAnEmptyReply() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> Mono.empty());

    StepVerifier.create(pair.toServer().request(ECHO, "x")).expectComplete().verify(Nodes.PATIENCE);
  }

  @Test
  void errorOfTheHandlerReachesTheRequester() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> Mono.error(new IllegalStateException("tired")));

    StepVerifier.create(pair.toServer().request(ECHO, "x"))
        .expectErrorSatisfies(e -> {
          assertEquals("tired", assertInstanceOf(RemoteStreamException.class, e).remoteMessage());
          assertTrue(
              e.getMessage().startsWith("stream 'echo': the publisher or handler on peer 'server'"),
              e.getMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void errorOfTheHandlerIsCreatedOncePerRequest() {
    Nodes.Pair pair = nodes.pair();
    AtomicInteger made = new AtomicInteger();
    pair.server()
        .respond(ECHO, text -> Mono.error(() -> new IOException("no " + made.incrementAndGet())));

    StepVerifier.create(pair.toServer().request(ECHO, "x"))
        .expectErrorSatisfies(e -> {
          RemoteStreamException remote = assertInstanceOf(RemoteStreamException.class, e);
          assertEquals(IOException.class.getName(), remote.remoteClass());
          assertEquals("no 1", remote.remoteMessage());
        })
        .verify(Nodes.PATIENCE);
  }

  @Test
  void errorWithAFailingMessageReachesTheRequester() {
    Nodes.Pair pair = nodes.pair();
    Throwable mute = new IllegalStateException() {
      @Override
      public String getMessage() {
        throw new UnsupportedOperationException("on purpose");
      }
    };
    pair.server().respond(ECHO, text -> Mono.error(mute));

    StepVerifier.create(pair.toServer().request(ECHO, "x"))
        .expectErrorSatisfies(e -> assertEquals(
            mute.getClass().getName(),
            assertInstanceOf(RemoteStreamException.class, e).remoteClass()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void throwingHandlerFailsItsRequestOnly() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> {
      throw new IllegalStateException("broken");
    });

    verifyError(pair.toServer().request(ECHO, "x"), RemoteStreamException.class);
    assertAlive(pair);
  }

  @Test
  void handlerThatReturnsNullFailsItsRequestOnly() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, text -> null);

    verifyError(pair.toServer().request(ECHO, "x"), RemoteStreamException.class);
    assertAlive(pair);
  }

  @Test
  void unknownRouteIsRejected() {
    Nodes.Pair pair = nodes.pair();
    for (int i = 0; i < 3; i++) {
      StepVerifier.create(pair.toServer().request(ECHO, "x"))
          .expectErrorSatisfies(e -> assertEquals(
              Reason.NO_SUCH_ROUTE,
              assertInstanceOf(StreamRejectedException.class, e).reason()))
          .verify(Nodes.PATIENCE);
    }
    pair.server().respond(ECHO, Mono::just);
    assertEquals("x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
  }

  @Test
  void codecsMustAgree() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(new Route<>("echo", Codecs.utf8(), Codecs.int32()), t -> Mono.just(1));

    StepVerifier.create(pair.toServer().request(ECHO, "x"))
        .expectErrorSatisfies(e -> assertEquals(
            Reason.CODEC_MISMATCH,
            assertInstanceOf(StreamRejectedException.class, e).reason()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void routeHasOneResponder() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, Mono::just);

    assertThrows(IllegalStateException.class, () -> pair.server().respond(ECHO, Mono::just));
  }

  @Test
  void disposalAffectsPeersWithEarlierRequests() {
    Nodes.Pair pair = nodes.pair();
    var serving = pair.server().respond(ECHO, Mono::just);
    assertEquals("x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
    serving.dispose();

    verifyError(pair.toServer().request(ECHO, "x"), StreamRejectedException.class);
    pair.server().respond(ECHO, text -> Mono.just("new " + text));
    assertEquals("new x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
  }

  @Test
  void responderMayBeReplacedWithoutLosingARequest() {
    Nodes.Pair pair = nodes.pair();
    var serving = pair.server().respond(ECHO, text -> Mono.just("old " + text));
    assertEquals("old x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));

    serving.dispose();
    pair.server().respond(ECHO, text -> Mono.just("new " + text));

    assertEquals("new x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
    assertEquals("new y", pair.toServer().request(ECHO, "y").block(Nodes.PATIENCE));
  }

  @Test
  void rejectedRequestDoesNotAffectLaterOnesForANewResponder() {
    Nodes.Pair pair = nodes.pair();
    pair.server()
        .respond(
            SQUARE,
            n -> Mono.fromRunnable(
                () -> pair.server().respond(ECHO, text -> Mono.just("new " + text))));
    var serving = pair.server().respond(ECHO, Mono::just);
    assertEquals("x", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
    serving.dispose();

    // In one task: all requests leave before any answer is processed.
    var replies = Mono.zip(
            pair.toServer().request(ECHO, "a").materialize(),
            pair.toServer().request(SQUARE, 1).materialize(),
            pair.toServer().request(ECHO, "b").materialize())
        .subscribeOn(pair.client().scheduler())
        .block(Nodes.PATIENCE);

    assertInstanceOf(StreamRejectedException.class, replies.getT1().getThrowable());
    assertEquals("new b", replies.getT3().get());
    assertEquals("new c", pair.toServer().request(ECHO, "c").block(Nodes.PATIENCE));
  }

  @Test
  void disposalRejectsNewRequestsButNotPendingOnes() {
    Nodes.Pair pair = nodes.pair();
    Sinks.One<String> answer = Sinks.one();
    AtomicBoolean asked = new AtomicBoolean();
    var serving =
        pair.server().respond(ECHO, text -> answer.asMono().doOnSubscribe(s -> asked.set(true)));
    var reply = pair.toServer().request(ECHO, "begun").toFuture();
    await().untilTrue(asked);
    serving.dispose();

    verifyError(pair.toServer().request(ECHO, "late"), StreamRejectedException.class);
    verifyError(pair.toServer().request(ECHO, "later"), StreamRejectedException.class);
    answer.tryEmitValue("done");

    assertEquals("done", reply.orTimeout(20, TimeUnit.SECONDS).join());
  }

  @Test
  void unansweredRequestFailsAtItsDeadlineAndIsCancelledAtTheResponder() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean cancelled = new AtomicBoolean();
    pair.server().respond(ECHO, text -> Mono.<String>never().doOnCancel(() -> cancelled.set(true)));
    Envelope<String> request = Envelope.of("x").withTimeToLive(Duration.ofMillis(200));

    verifyError(pair.toServer().request(ECHO, request), DeadlineExceededException.class);
    await().untilTrue(cancelled);
    assertAlive(pair);
  }

  @Test
  void cancellationOfARequestCancelsTheHandler() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean asked = new AtomicBoolean();
    AtomicBoolean cancelled = new AtomicBoolean();
    pair.server()
        .respond(
            ECHO,
            text -> Mono.<String>never()
                .doOnSubscribe(s -> asked.set(true))
                .doOnCancel(() -> cancelled.set(true)));
    var request = pair.toServer().request(ECHO, "x").subscribe();
    await().untilTrue(asked);
    request.dispose();

    await().untilTrue(cancelled);
  }

  @Test
  void immediatelyCancelledRequestsAreRemoved() {
    Nodes.Pair pair = nodes.pair(config -> config.maxExchanges(4));
    pair.server().respond(SQUARE, n -> Mono.just(n * n));
    for (int i = 0; i < 50; i++) {
      pair.toServer().requestStream(SQUARE, i).subscribe(new CancelsAtOnce<>());
    }

    assertEquals(9, pair.toServer().request(SQUARE, 3).block(Nodes.PATIENCE));
    StepVerifier.create(pair.toServer().close()).expectComplete().verify(Duration.ofSeconds(4));
  }

  private static final class CancelsAtOnce<T> extends reactor.core.publisher.BaseSubscriber<T> {
    @Override
    protected void hookOnSubscribe(org.reactivestreams.Subscription s) {
      cancel();
    }
  }

  @Test
  void singleReplyMayBeTakenFromAStreamOfReplies() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(SQUARE, n -> Mono.just(n * n));
    for (int i = 0; i < 20; i++) {
      assertEquals(
          i * i, pair.toServer().requestStream(SQUARE, i).take(1).blockLast(Nodes.PATIENCE));
    }
    assertAlive(pair);
  }

  @Test
  void requestMayBeAsLargeAsAMessage() {
    Nodes.Pair pair = nodes.pair(config -> config.maxMessageBytes(1 << 20));
    Route<byte[], Integer> length = new Route<>("length", Codecs.bytes(), Codecs.int32());
    pair.server().respond(length, bytes -> Mono.just(bytes.length));
    int most = pair.toServer().maxMessageBytes();

    assertEquals(most, pair.toServer().request(length, new byte[most]).block(Nodes.PATIENCE));
    verifyError(
        pair.toServer().request(length, new byte[most + 1]), MessageTooLargeException.class);
    assertAlive(pair);
  }

  @Test
  void oversizedReplyFailsItsRequestOnly() {
    Nodes.Pair pair = nodes.pair(config -> config.maxMessageBytes(1 << 20));
    Route<Integer, byte[]> zeros = new Route<>("zeros", Codecs.int32(), Codecs.bytes());
    pair.server().respond(zeros, n -> Mono.just(new byte[n]));
    int most = pair.toServer().maxMessageBytes();

    assertEquals(most, pair.toServer().request(zeros, most).block(Nodes.PATIENCE).length);
    verifyError(pair.toServer().request(zeros, most + 1), RemoteStreamException.class);
    assertAlive(pair);
  }

  @Test
  void handlerMaySendRequestsToTheRequester() {
    Nodes.Pair pair = nodes.pair();
    pair.client().respond(SQUARE, n -> Mono.just(n * n));
    pair.server().respond(ECHO, text -> pair.toClient().request(SQUARE, 7).map(n -> text + n));

    assertEquals("x49", pair.toServer().request(ECHO, "x").block(Nodes.PATIENCE));
  }

  @Test
  void requestsSentFromRepliesAreAnswered() {
    Nodes.Pair pair = nodes.pair();
    List<Integer> got = new ArrayList<>();
    pair.server().respond(SQUARE, n -> Mono.just(n + 1));
    Sinks.Empty<Void> done = Sinks.empty();
    chain(pair.toServer(), 0, got, done);

    done.asMono().block(Nodes.PATIENCE);
    assertEquals(Flux.range(1, 3000).collectList().block(), got);
  }

  private static void chain(Peer peer, int n, List<Integer> got, Sinks.Empty<Void> done) {
    peer.request(SQUARE, n).subscribe(reply -> {
      got.add(reply);
      if (reply < 3000) {
        chain(peer, reply, got, done);
      } else {
        done.tryEmitEmpty();
      }
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ud800"})
  void rejectsAnInvalidRouteAtItsCreation(String name) {
    assertThrows(
        IllegalArgumentException.class, () -> new Route<>(name, Codecs.int32(), Codecs.int32()));
    String tooLong = "x".repeat(256);
    assertThrows(
        IllegalArgumentException.class, () -> new Route<>(tooLong, Codecs.int32(), Codecs.int32()));
  }
}
