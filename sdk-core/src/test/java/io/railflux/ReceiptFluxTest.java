package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Receipt;
import io.railflux.message.Receipt.Outcome;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.EngineAffinity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.StepVerifier;

/** Receipts of a send whose outcome the test decides. */
class ReceiptFluxTest {

  private static class Here implements EngineAffinity {
    @Override
    public boolean inEngine() {
      return true;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  private final AtomicReference<DeliverySink> sending = new AtomicReference<>();
  private final AtomicInteger cancellations = new AtomicInteger();
  private ReceiptFlux receipts;

  @BeforeEach
  void prepare() {
    receipts = new ReceiptFlux(
        (context, sink) -> {
          sending.set(sink);
          return cancellations::incrementAndGet;
        },
        new Here());
  }

  private static Receipt acknowledged(long index) {
    return new Receipt(index, Outcome.ACKNOWLEDGED);
  }

  private static Receipt expired(long index) {
    return new Receipt(index, Outcome.EXPIRED);
  }

  @Test
  void nothingFollowsACancellationWithinTheSameStep() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    EngineAffinity later = new Here() {
      @Override
      public void execute(Runnable task) {
        tasks.add(task);
      }
    };
    List<Receipt> received = new ArrayList<>();
    new ReceiptFlux(
            (context, sink) -> {
              sink.onAcknowledged(100);
              return cancellations::incrementAndGet;
            },
            later)
        .subscribe(new BaseSubscriber<>() {
          @Override
          protected void hookOnNext(Receipt receipt) {
            received.add(receipt);
            cancel();
          }
        });
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }

    assertEquals(List.of(acknowledged(0)), received);
    assertEquals(1, cancellations.get());
  }

  @Test
  void expiredMessagesAreReportedInOrder() {
    StepVerifier.create(receipts)
        .then(() -> sending.get().onExpired(1))
        .then(() -> sending.get().onExpired(3))
        .then(() -> sending.get().onAcknowledged(3))
        .expectNext(acknowledged(0), expired(1), acknowledged(2), expired(3), acknowledged(4))
        .then(() -> sending.get().onCompleted())
        .verifyComplete();
  }

  @Test
  void endWaitsForUnrequestedReceipts() {
    StepVerifier.create(receipts, 0)
        .then(() -> sending.get().onAcknowledged(2))
        .then(() -> sending.get().onCompleted())
        .thenRequest(1)
        .expectNext(acknowledged(0))
        .thenRequest(1)
        .expectNext(acknowledged(1))
        .verifyComplete();
  }

  @Test
  void failureIsReportedAlthoughAnExpiredMessageFollowsAnUndecidedOne() {
    StepVerifier.create(receipts)
        .then(() -> sending.get().onExpired(1))
        .then(() -> sending.get().onFailed(new IllegalStateException("lost")))
        .verifyErrorMessage("lost");
  }

  @Test
  void cancellationCancelsTheSendAndItsSignals() {
    StepVerifier.create(receipts)
        .then(() -> sending.get().onAcknowledged(1))
        .expectNext(acknowledged(0))
        .thenCancel()
        .verify();
    assertEquals(1, cancellations.get());
    sending.get().onAcknowledged(5);
    sending.get().onCompleted();
  }

  @Test
  void unrequestedExpiredReceiptsEndTheSendAtALimit() {
    int most = ReceiptFlux.MAX_UNREPORTED + 1;
    StepVerifier.create(receipts, 0)
        .then(() -> LongStream.range(0, most).forEach(i -> sending.get().onExpired(i)))
        .then(() -> assertEquals(1, cancellations.get()))
        .then(() -> sending.get().onFailed(new CancellationException("by its sender")))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(most)
        .verifyErrorMatches(Exceptions::isOverflow);
  }

  @Test
  void eachSubscriptionSendsAgain() {
    receipts.subscribe();
    DeliverySink first = sending.get();
    StepVerifier.create(receipts)
        .then(() -> first.onCompleted())
        .then(() -> sending.get().onAcknowledged(1))
        .expectNext(acknowledged(0))
        .then(() -> sending.get().onCompleted())
        .verifyComplete();
  }
}
