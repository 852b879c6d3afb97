package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;

/** Demand crosses the wire exactly. The producer receives no more than the demand of the remote subscriber. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Tag("CH1")
class DemandTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong emitted = new AtomicLong();

  /** Returns endless numbers and counts their requests. */
  private Flux<Long> counting() {
    return Flux.<Long, Long>generate(() -> 0L, (n, sink) -> {
          sink.next(n);
          emitted.incrementAndGet();
          return n + 1;
        })
        .hide()
        .doOnRequest(n -> asked.accumulateAndGet(n, reactor.core.publisher.Operators::addCap));
  }

  /** Requests only when the test calls {@code request}. */
  private static final class Patient extends BaseSubscriber<Long> {

    final List<Long> got = new CopyOnWriteArrayList<>();
    final AtomicLong count = new AtomicLong();
    final boolean keep;

    Patient(boolean keep) {
      this.keep = keep;
    }

    private volatile boolean subscribed;

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscribed = true;
    }

    boolean isSubscribed() {
      return subscribed;
    }

    @Override
    protected void hookOnNext(Long value) {
      if (keep) {
        got.add(value);
      }
      count.incrementAndGet();
    }
  }

  private void settle(Nodes.Pair pair) {
    // Earlier frames have arrived when these streams end.
    pair.toServer().send("settle", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
    pair.toClient().send("settle", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
    pair.toServer().send("settle", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
  }

  @Test
  void producerReceivesNoMoreThanTheDemandOfTheSubscriber() {
    Nodes.Pair pair = nodes.pair();
    Patient subscriber = new Patient(true);
    pair.toServer().send("n", Codecs.int64(), counting()).subscribe(x -> {}, e -> {});
    pair.toClient().receive("n", Codecs.int64()).subscribe(subscriber);
    settle(pair);
    assertEquals(0, asked.get());
    Random random = new Random(1);
    long requested = 0;
    for (int round = 0; round < 200; round++) {
      int n = 1 + random.nextInt(round % 10 == 0 ? 1000 : 4);
      requested += n;
      subscriber.request(n);
      long total = requested;
      await().pollInterval(Duration.ofMillis(1)).until(() -> subscriber.count.get() == total);
      assertTrue(asked.get() <= total, () -> "requested " + asked + " of " + total);
    }
    settle(pair);
    assertEquals(requested, emitted.get());
    assertEquals(requested, subscriber.count.get());
    subscriber.cancel();
  }

  @Test
  void requestsOfManyThreadsAddUp() {
    Nodes.Pair pair = nodes.pair();
    Patient subscriber = new Patient(false);
    pair.toServer().send("n", Codecs.int64(), counting()).subscribe(x -> {}, e -> {});
    pair.toClient().receive("n", Codecs.int64()).subscribe(subscriber);
    await().until(() -> subscriber.isSubscribed());
    Flux.range(0, 4)
        .flatMap(t -> Flux.range(0, 2500)
            .doOnNext(i -> subscriber.request(1 + i % 2))
            .subscribeOn(Schedulers.boundedElastic()))
        .blockLast(Nodes.PATIENCE);
    await().until(() -> subscriber.count.get() == 15_000);
    settle(pair);

    assertEquals(15_000, subscriber.count.get());
    assertEquals(15_000, emitted.get());
    assertTrue(asked.get() <= 15_000);
    subscriber.cancel();
  }

  @Test
  void reentrantRequestsOfOne() {
    Nodes.Pair pair = nodes.pair();
    List<Long> got = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    pair.toClient().receive("n", Codecs.int64()).take(2000).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription s) {
        request(1);
      }

      @Override
      protected void hookOnNext(Long value) {
        got.add(value);
        request(1);
      }

      @Override
      protected void hookOnComplete() {
        done.complete(null);
      }
    });
    pair.toServer().send("n", Codecs.int64(), counting()).subscribe(x -> {}, e -> {});

    await().until(done::isDone);
    assertEquals(2000, got.size());
    assertTrue(asked.get() <= 2001, () -> "requested " + asked);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2 + 1})
  void supportsHugeDemand(long first) {
    Nodes.Pair pair = nodes.pair();
    Patient subscriber = new Patient(false);
    pair.toClient().receive("n", Codecs.int64()).subscribe(subscriber);
    var sent =
        pair.toServer().send("n", Codecs.int64(), counting().take(10_000)).toFuture();
    await().until(() -> subscriber.isSubscribed());
    subscriber.request(first);
    subscriber.request(first);
    subscriber.request(7);

    await().until(sent::isDone);
    sent.join();
    assertEquals(10_000, subscriber.count.get());
  }

  @Test
  void streamWithoutSubscriberBlocksItsProducer() {
    Nodes.Pair pair = nodes.pair();
    var sent = pair.toServer().send("n", Codecs.int64(), counting().take(5)).toFuture();
    settle(pair);
    assertEquals(0, asked.get());

    assertEquals(
        List.of(0L, 1L, 2L, 3L, 4L),
        pair.toClient().receive("n", Codecs.int64()).collectList().block(Nodes.PATIENCE));
    await().until(sent::isDone);
  }

  @Test
  void slowSubscriberDoesNotDelayAnotherStream() {
    Nodes.Pair pair = nodes.pair();
    Patient slow = new Patient(false);
    pair.toServer().send("slow", Codecs.int64(), counting()).subscribe(x -> {}, e -> {});
    pair.toClient().receive("slow", Codecs.int64()).subscribe(slow);
    pair.toServer()
        .send("fast", Codecs.int64(), Flux.range(0, 10_000).map(i -> (long) i))
        .subscribe();

    assertEquals(
        10_000L, pair.toClient().receive("fast", Codecs.int64()).count().block(Nodes.PATIENCE));
    assertEquals(0, slow.count.get());
    slow.cancel();
  }

  @Test
  void furtherDemandReachesASourceBeforeItsFirstAnswer() {
    Nodes.Pair pair = nodes.pair();
    TestPublisher<Long> source = TestPublisher.create();
    Patient subscriber = new Patient(true);
    pair.toServer().send("n", Codecs.int64(), source.flux()).subscribe(x -> {}, e -> {});
    pair.toClient().receive("n", Codecs.int64()).subscribe(subscriber);
    await().until(() -> subscriber.isSubscribed());
    subscriber.request(1);
    await().until(() -> source.wasRequested());
    subscriber.request(2);
    settle(pair);
    source.next(1L);
    await().until(() -> subscriber.count.get() == 1);
    await().untilAsserted(() -> source.assertMinRequested(1));
    source.next(2L);
    await().until(() -> subscriber.count.get() == 2);
    source.next(3L).complete();
    await().until(() -> subscriber.got.equals(List.of(1L, 2L, 3L)));
  }
}
