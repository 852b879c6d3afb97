package io.railflux;

import io.railflux.message.Receipt;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.EngineSubscription;
import java.util.ArrayDeque;
import java.util.function.BiFunction;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/** A send that reports the outcome of each message. Each subscription sends again. */
final class ReceiptFlux extends Flux<Receipt> {

  private final BiFunction<ContextView, DeliverySink, Runnable> send;
  private final EngineAffinity engine;

  /** @param send starts a send and returns its cancellation */
  ReceiptFlux(BiFunction<ContextView, DeliverySink, Runnable> send, EngineAffinity engine) {
    this.send = send;
    this.engine = engine;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Receipt> actual) {
    Receipts receipts = new Receipts(actual, engine);
    receipts.cancellation = send.apply(actual.currentContext(), receipts);
    actual.onSubscribe(receipts);
    engine.execute(receipts::subscribed);
  }

  /** Largest number of unrequested receipts of expired messages, each of which takes memory. */
  static final int MAX_UNREPORTED = 1 << 16;

  /** Receipts without demand are counters, except those of expired messages. */
  private static final class Receipts extends EngineSubscription implements DeliverySink {

    private final CoreSubscriber<? super Receipt> actual;
    private Runnable cancellation;

    // Engine thread only.
    private boolean subscribed;
    private long acknowledged;
    private long emittedIndex;
    private final ArrayDeque<Long> expired = new ArrayDeque<>();
    private boolean done;
    private Throwable error;
    private boolean terminated;
    private boolean emitting;

    Receipts(CoreSubscriber<? super Receipt> actual, EngineAffinity engine) {
      super(engine);
      this.actual = actual;
    }

    /** Signals before the subscription wait for it. */
    void subscribed() {
      subscribed = true;
      emit();
    }

    @Override
    public void onAcknowledged(long messages) {
      acknowledged += messages;
      emit();
    }

    @Override
    public void onExpired(long index) {
      expired.add(index);
      emit();
      if (expired.size() > MAX_UNREPORTED && !done) {
        onFailed(Exceptions.failWithOverflow(
            "more than " + MAX_UNREPORTED + " receipts of expired messages without demand"));
        cancellation.run();
      }
    }

    @Override
    public void onCompleted() {
      done = true;
      emit();
    }

    @Override
    public void onFailed(Throwable failure) {
      if (!done) {
        error = failure;
        onCompleted();
      }
    }

    @Override
    protected void onDemand() {
      emit();
    }

    @Override
    public void cancel() {
      if (inEngine()) {
        // Receipts acknowledged in one step are emitted together; none may follow an end.
        terminated = true;
      }
      execute(() -> {
        terminated = true;
        cancellation.run();
      });
    }

    private void emit() {
      if (emitting || !subscribed) {
        return;
      }
      emitting = true;
      try {
        while (requested > 0 && !terminated && emitOne()) {
          requested--;
        }
      } catch (Throwable e) {
        terminated = true;
        cancellation.run();
        actual.onError(e);
      } finally {
        emitting = false;
      }
      if (done && !terminated && acknowledged == 0 && !nextIsExpired()) {
        terminated = true;
        if (error != null) {
          actual.onError(error);
        } else {
          actual.onComplete();
        }
      }
    }

    /** An expired message behind an unacknowledged one has no receipt. */
    private boolean nextIsExpired() {
      return !expired.isEmpty() && expired.peek() == emittedIndex;
    }

    private boolean emitOne() {
      if (nextIsExpired()) {
        expired.poll();
        actual.onNext(new Receipt(emittedIndex++, Receipt.Outcome.EXPIRED));
        return true;
      }
      if (acknowledged > 0) {
        acknowledged--;
        actual.onNext(new Receipt(emittedIndex++, Receipt.Outcome.ACKNOWLEDGED));
        return true;
      }
      return false;
    }
  }
}
