package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Verifies {@code docs/reactor-traps.md}. A failure with a newer reactor-core means that a trap no longer exists, and
 * that its line in the document must be removed.
 */
class ReactorTrapsTest {

  private final List<Object> discarded = new ArrayList<>();

  @Test
  void publishOnDiscardsNothingWhenItIsCancelledBeforeItsWorkerRan() {
    VirtualTimeScheduler worker = VirtualTimeScheduler.create();
    try {
      Disposable subscription = Flux.range(0, 100)
          .hide()
          .publishOn(worker)
          .doOnDiscard(Object.class, discarded::add)
          .subscribe();
      subscription.dispose();
      worker.advanceTime();

      assertEquals(List.of(), discarded);
    } finally {
      worker.dispose();
    }
  }

  @Test
  void timeoutDiscardsNoValuesAfterItsCancellation() {
    TestPublisher<Object> late =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    Disposable subscription = late.flux()
        .timeout(Mono.never(), value -> Mono.never())
        .doOnDiscard(Object.class, discarded::add)
        .subscribe();
    subscription.dispose();
    late.next("late");

    assertEquals(List.of(), discarded);
  }

  @Test
  void refCountKeepsItsSourceAfterACancellationInsideOnSubscribe() {
    Sinks.Many<Integer> source = Sinks.many().multicast().directBestEffort();
    Flux<Integer> shared = source.asFlux().replay(1).refCount(1);
    Disposable first = shared.subscribe();
    source.tryEmitNext(42);
    assertEquals(42, shared.next().block());
    first.dispose();

    assertEquals(1, source.currentSubscriberCount());
  }

  @Test
  void bufferTimeoutOfTheLargestSizeRequestsNothing() {
    AtomicLong requested = new AtomicLong();
    Flux.<Integer>never()
        .doOnRequest(requested::addAndGet)
        .bufferTimeout(Integer.MAX_VALUE, Duration.ofHours(1), Schedulers.single(), true)
        .subscribe()
        .dispose();

    assertEquals(0, requested.get());
  }
}
