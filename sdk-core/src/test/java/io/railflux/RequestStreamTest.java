package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** One request, and a stream of replies within the demand of the requester. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RequestStreamTest {

  private static final Route<Integer, Integer> RANGE =
      new Route<>("range", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Test
  void repliesArriveInOrder() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondStream(RANGE, n -> Flux.range(0, n));

    assertEquals(
        Flux.range(0, 50_000).collectList().block(),
        pair.toServer().requestStream(RANGE, 50_000).collectList().block(Nodes.PATIENCE));
  }

  @Test
  void responderReceivesNoMoreThanTheDemandOfTheRequester() {
    Nodes.Pair pair = nodes.pair();
    AtomicLong asked = new AtomicLong();
    AtomicBoolean cancelled = new AtomicBoolean();
    pair.server()
        .respondStream(
            RANGE,
            n -> Flux.range(0, n)
                .hide()
                .doOnRequest(asked::addAndGet)
                .doOnCancel(() -> cancelled.set(true)));

    StepVerifier.create(pair.toServer().requestStream(RANGE, 1000), 0)
        .expectSubscription()
        .thenRequest(3)
        .expectNext(0, 1, 2)
        .then(() -> assertTrue(asked.get() <= 3, () -> "requested " + asked))
        .thenRequest(1)
        .expectNext(3)
        .thenRequest(500)
        .expectNextCount(500)
        .then(() -> assertTrue(asked.get() <= 504, () -> "requested " + asked))
        .thenCancel()
        .verify(Nodes.PATIENCE);
    await().untilTrue(cancelled);
  }

  @Test
  void emptyStreamOfRepliesCompletes() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondStream(RANGE, n -> Flux.range(0, n));

    StepVerifier.create(pair.toServer().requestStream(RANGE, 0), 0)
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void errorAfterSomeRepliesReachesTheRequester() {
    Nodes.Pair pair = nodes.pair();
    pair.server()
        .respondStream(
            RANGE,
            n -> Flux.concat(Flux.range(0, n), Flux.error(new IllegalStateException("dry"))));

    StepVerifier.create(pair.toServer().requestStream(RANGE, 2))
        .expectNext(0, 1)
        .expectErrorSatisfies(e ->
            assertEquals("dry", assertInstanceOf(RemoteStreamException.class, e).remoteMessage()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void manyStreamsOfRepliesShareThePeer() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respondStream(RANGE, n -> Flux.range(0, n));

    List<Long> counts = Flux.range(0, 200)
        .flatMapSequential(i -> pair.toServer().requestStream(RANGE, 1000 + i).count(), 200)
        .collectList()
        .block(Nodes.PATIENCE);

    assertEquals(Flux.range(1000, 200).map(i -> (long) i).collectList().block(), counts);
  }

  @Test
  void timeToLiveBoundsTheWaitForTheFirstReplyOnly() {
    Nodes.Pair pair = nodes.pair();
    pair.server()
        .respondStream(
            RANGE,
            n -> n == 0
                ? Flux.never()
                : Flux.concat(Flux.just(1), Mono.just(2).delayElement(Duration.ofMillis(400))));
    Envelope<Integer> hopeless = Envelope.of(0).withTimeToLive(Duration.ofMillis(100));
    Envelope<Integer> slow = Envelope.of(1).withTimeToLive(Duration.ofMillis(200));

    StepVerifier.create(pair.toServer().requestStream(RANGE, hopeless))
        .expectError(DeadlineExceededException.class)
        .verify(Nodes.PATIENCE);
    StepVerifier.create(pair.toServer().requestStream(RANGE, slow))
        .expectNext(1, 2)
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void eachSubscriptionSendsARequest() {
    Nodes.Pair pair = nodes.pair();
    AtomicLong requests = new AtomicLong();
    pair.server().respondStream(RANGE, n -> Flux.range((int) requests.incrementAndGet(), n));
    Flux<Integer> replies = pair.toServer().requestStream(RANGE, 1);

    assertEquals(1, replies.blockLast(Nodes.PATIENCE));
    assertEquals(2, replies.blockLast(Nodes.PATIENCE));
  }
}
