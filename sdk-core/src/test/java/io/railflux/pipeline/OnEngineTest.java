package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;

/** The step onto the engine thread, for sources on that thread, on another thread, and fused. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class OnEngineTest {

  private final FakeEngine engine = new FakeEngine();
  private final List<Object> discarded = new ArrayList<>();

  /** Records all signals and verifies that they arrive on the engine thread. */
  private final class Downstream extends BaseSubscriber<Integer> {

    final List<Integer> got = new ArrayList<>();
    Throwable error;
    SignalType end;
    long requestMoreEach;

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      assertTrue(engine.inEngine());
    }

    @Override
    protected void hookOnNext(Integer value) {
      assertTrue(engine.inEngine());
      got.add(value);
      if (requestMoreEach > 0) {
        request(requestMoreEach);
      }
    }

    @Override
    protected void hookOnError(Throwable t) {
      error = t;
    }

    @Override
    protected void hookFinally(SignalType type) {
      end = type;
    }
  }

  private Downstream subscribe(Flux<Integer> source, int prefetch) {
    Downstream downstream = new Downstream();
    new OnEngine<>(source, engine, prefetch)
        .contextWrite(c -> Operators.enableOnDiscard(c, discarded::add))
        .subscribe(downstream);
    return downstream;
  }

  private static List<Integer> range(int count) {
    return Flux.range(0, count).collectList().block();
  }

  @Test
  void rejectsAPrefetchOfZero() {
    assertThrows(IllegalArgumentException.class, () -> new OnEngine<>(Flux.just(1), engine, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 256})
  void fusedSourcesArePulledAsFarAsRequested(int prefetch) {
    Downstream downstream = subscribe(Flux.range(0, 100), prefetch);
    assertEquals(List.of(), downstream.got);
    downstream.request(1);
    assertEquals(List.of(0), downstream.got);
    downstream.request(98);
    assertEquals(99, downstream.got.size());
    downstream.request(1);
    assertEquals(range(100), downstream.got);
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
  }

  @Test
  void fusedSourcesThatFailAfterTheLastRequestedValueFail() {
    Downstream downstream = subscribe(
        Flux.generate(sink -> {
          sink.next(1);
          sink.error(new IllegalStateException("no second one"));
        }),
        8);
    downstream.request(1);

    assertEquals(List.of(1), downstream.got);
    assertEquals("no second one", downstream.error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 256})
  void sourcesOnTheEngineAnswerInline(int prefetch) {
    List<Long> requests = new ArrayList<>();
    Flux<Integer> source = Flux.range(0, 1000).hide().doOnRequest(requests::add);
    Downstream downstream = subscribe(source, prefetch);
    long asked = 0;
    for (int n : new int[] {1, 5, 250, 3, 500}) {
      asked += n;
      downstream.request(n);
      assertEquals(asked, downstream.got.size());
      assertTrue(requests.stream().mapToLong(Long::longValue).sum() <= asked);
    }
    downstream.request(Long.MAX_VALUE);
    assertEquals(range(1000), downstream.got);
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
    assertTrue(requests.stream().allMatch(n -> n <= prefetch), () -> "asked " + requests);
    assertEquals(0, engine.waiting());
  }

  @Test
  void reentrantRequestsDoNotRecurse() {
    Downstream downstream = subscribe(Flux.range(0, 100_000).hide(), 4);
    downstream.requestMoreEach = 1;
    downstream.request(1);
    assertEquals(100_000, downstream.got.size());
    Downstream fused = subscribe(Flux.range(0, 100_000), 4);
    fused.requestMoreEach = 1;
    fused.request(1);
    assertEquals(100_000, fused.got.size());
  }

  @Test
  void valuesOfOtherThreadsWaitForTheEngine() {
    TestPublisher<Integer> source = TestPublisher.create();
    Downstream downstream = subscribe(source.flux(), 16);
    downstream.request(3);
    FakeEngine.elsewhere(() -> source.next(1, 2));
    assertEquals(List.of(), downstream.got);
    assertEquals(1, engine.waiting(), "one task for many values");
    engine.run();
    assertEquals(List.of(1, 2), downstream.got);
    FakeEngine.elsewhere(() -> source.next(3).complete());
    engine.run();
    assertEquals(List.of(1, 2, 3), downstream.got);
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
  }

  @Test
  void valuesOnTheEngineStayBehindWaitingValues() {
    TestPublisher<Integer> source = TestPublisher.create();
    Downstream downstream = subscribe(source.flux(), 16);
    downstream.request(10);
    FakeEngine.elsewhere(() -> source.next(1));
    source.next(2);
    engine.run();
    source.next(3);
    assertEquals(List.of(1, 2, 3), downstream.got);
  }

  @Test
  void subscriptionOfAnotherThreadIsForwardedByTheEngine() {
    TestPublisher<Integer> source = TestPublisher.create();
    Downstream downstream = new Downstream();
    FakeEngine.elsewhere(() -> new OnEngine<>(source.flux(), engine, 4).subscribe(downstream));
    assertFalse(source.wasRequested());
    engine.run();
    downstream.request(1);
    source.next(1).complete();
    assertEquals(List.of(1), downstream.got);
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
  }

  @Test
  void sourceThatEndsImmediatelyOnAnotherThreadIsSubscribedFirst() {
    Downstream downstream = new Downstream();
    FakeEngine.elsewhere(
        () -> new OnEngine<>(Flux.<Integer>empty(), engine, 4).subscribe(downstream));
    engine.run();
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
  }

  @Test
  void errorsFollowEarlierValues() {
    TestPublisher<Integer> source = TestPublisher.create();
    Downstream downstream = subscribe(source.flux(), 16);
    downstream.request(2);
    FakeEngine.elsewhere(() -> source.next(1, 2).error(new IllegalStateException("late")));
    engine.run();
    assertEquals(List.of(1, 2), downstream.got);
    assertEquals("late", downstream.error.getMessage());
  }

  @Test
  void endNeedsNoDemand() {
    Downstream downstream = subscribe(Flux.<Integer>empty().hide(), 4);
    assertEquals(SignalType.ON_COMPLETE, downstream.end);
    Downstream failed = subscribe(Flux.error(new IllegalStateException("at once")), 4);
    assertEquals("at once", failed.error.getMessage());
  }

  @Test
  void sourceThatEmitsMoreThanRequestedFails() {
    TestPublisher<Integer> source =
        TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
    Downstream downstream = subscribe(source.flux(), 8);
    downstream.request(1);
    for (int i = 0; i < 10; i++) {
      source.next(i);
    }
    downstream.request(100);
    assertTrue(downstream.error instanceof IllegalStateException, "" + downstream.error);
    assertTrue(source.wasCancelled());
    assertEquals(List.of(9), discarded);
  }

  @Test
  void failingFusedSourceIsCancelledAndReported() {
    Flux<Integer> source = Flux.generate(() -> 0, (n, sink) -> {
      if (n == 3) {
        throw new IllegalStateException("three");
      }
      sink.next(n);
      return n + 1;
    });
    Downstream downstream = subscribe(source, 8);
    downstream.request(10);
    assertEquals(List.of(0, 1, 2), downstream.got);
    assertEquals("three", downstream.error.getMessage());
  }

  @Test
  void cancellationDiscardsWaitingValues() {
    TestPublisher<Integer> source = TestPublisher.create();
    Downstream downstream = subscribe(source.flux(), 16);
    downstream.request(5);
    FakeEngine.elsewhere(() -> source.next(1, 2, 3));
    downstream.cancel();
    engine.run();
    assertEquals(List.of(), downstream.got);
    assertEquals(List.of(1, 2, 3), discarded);
    assertTrue(source.wasCancelled());
  }

  @Test
  void valuesAfterACancellationAreDiscarded() {
    TestPublisher<Integer> source =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    Downstream downstream = subscribe(source.flux(), 16);
    downstream.request(5);
    downstream.cancel();
    source.next(1);
    FakeEngine.elsewhere(() -> source.next(2));
    engine.run();
    assertEquals(List.of(1, 2), discarded);
  }

  @Test
  void cancellationEndsAnEndlessFusedSource() {
    Flux<Integer> endless = Flux.generate(sink -> sink.next(1));
    Downstream downstream = subscribe(endless, 8);
    downstream.request(3);
    downstream.cancel();
    assertEquals(3, downstream.got.size());
  }

  @Test
  void reentrantCancellationStopsImmediately() {
    for (Flux<Integer> source : List.of(Flux.range(0, 10), Flux.range(0, 10).hide())) {
      List<Integer> got = new ArrayList<>();
      new OnEngine<>(source, engine, 8).subscribe(new BaseSubscriber<>() {
        @Override
        protected void hookOnNext(Integer value) {
          got.add(value);
          if (value == 2) {
            cancel();
          }
        }
      });
      assertEquals(List.of(0, 1, 2), got);
    }
  }

  @Test
  void stopDeliversTakenValuesThenTheReason() {
    TestPublisher<Integer> source = TestPublisher.create();
    List<Integer> got = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    Subscription[] subscription = new Subscription[1];
    new OnEngine<>(source.flux(), engine, 16)
        .subscribe(new RawSubscriber<>(s -> subscription[0] = s, got::add, errors::add));
    subscription[0].request(5);
    FakeEngine.elsewhere(() -> source.next(1, 2, 3));
    ((Stoppable) subscription[0]).stop(new IllegalStateException("closing"));
    assertTrue(source.wasCancelled());
    engine.run();
    assertEquals(List.of(1, 2, 3), got);
    assertEquals(List.of("closing"), errors);
  }

  @Test
  void requestsAndCancelsOfOtherThreadsAreMovedToTheEngine() {
    Downstream downstream = subscribe(Flux.range(0, 10), 8);
    FakeEngine.elsewhere(() -> downstream.request(2));
    assertEquals(List.of(), downstream.got);
    engine.run();
    assertEquals(List.of(0, 1), downstream.got);
    FakeEngine.elsewhere(downstream::cancel);
    engine.run();
    assertEquals(List.of(0, 1), downstream.got);
  }

  /** A second thread floods while the engine drains. No value is lost, duplicated or reordered. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 32, 256})
  void burstsOfAnotherThreadArriveCompletelyAndInOrder(int prefetch) throws Exception {
    // A blocking queue would block the threads of Reactor that fill it.
    ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    Semaphore handedOver = new Semaphore(0);
    Thread owner = Thread.currentThread();
    EngineAffinity live = new EngineAffinity() {
      @Override
      public boolean inEngine() {
        return Thread.currentThread() == owner;
      }

      @Override
      public void execute(Runnable task) {
        tasks.add(task);
        handedOver.release();
      }
    };
    int count = 50_000;
    AtomicLong asked = new AtomicLong();
    List<Integer> got = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    Flux<Integer> source = Flux.range(0, count)
        .hide()
        .doOnRequest(asked::addAndGet)
        .publishOn(Schedulers.parallel(), 16);
    new OnEngine<>(source, live, prefetch).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription s) {
        request(7);
      }

      @Override
      protected void hookOnNext(Integer value) {
        got.add(value);
        if (got.size() % 7 == 0) {
          request(7);
        }
      }

      @Override
      protected void hookFinally(SignalType type) {
        done.countDown();
      }
    });
    while (done.getCount() > 0) {
      assertTrue(handedOver.tryAcquire(10, TimeUnit.SECONDS), () -> "stalled after " + got.size());
      tasks.remove().run();
    }
    assertEquals(range(count), got);
  }
}
