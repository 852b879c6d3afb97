package io.railflux.pipeline;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.ReceivedFrame;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Like {@link Decode} for a source of at most one frame, combined with {@code singleOrEmpty} in one step. The value
 * is emitted together with the end, when no second frame can follow. A second frame is an {@link
 * IndexOutOfBoundsException}. If the end arrives in a separate frame, a flyweight is no longer valid by then.
 */
final class DecodeSingle<T> extends Mono<T> {

  private final Flux<ReceivedFrame> source;
  private final Incoming<T> incoming;

  private DecodeSingle(Flux<ReceivedFrame> source, Incoming<T> incoming) {
    this.source = source;
    this.incoming = incoming;
  }

  /** Passes the hooks of Reactor, like its own operators. */
  static <T> Mono<T> of(Flux<ReceivedFrame> source, Incoming<T> incoming) {
    return onAssembly(new DecodeSingle<>(source, incoming));
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    source.subscribe(new OnlyFrame<>(actual, incoming));
  }

  private static final class OnlyFrame<T> extends FrameDecoder<T> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<OnlyFrame, Object> HELD =
        AtomicReferenceFieldUpdater.newUpdater(OnlyFrame.class, Object.class, "held");

    /** Value of a last frame; the end follows in the same call. */
    private T last;

    /** Value of any other frame, until the end or a cancellation takes it. */
    private volatile Object held;

    // Called by any thread.
    private volatile boolean cancelled;

    OnlyFrame(CoreSubscriber<? super T> actual, Incoming<T> incoming) {
      super(actual, incoming);
    }

    @Override
    public void onNext(ReceivedFrame frame) {
      if (done) {
        return;
      }
      if (last != null || held != null) {
        fail(
            new IndexOutOfBoundsException("a second reply arrived where at most one is permitted"));
        return;
      }
      T value = decode(frame);
      if (value == null) {
        return;
      }
      if (frame.has(FrameFlags.LAST)) {
        last = value;
      } else {
        held = value;
      }
      if (cancelled) {
        // The codec may have cancelled, and a cancellation takes the held value only once.
        discardHeld();
      }
    }

    @SuppressWarnings("unchecked")
    private T taken() {
      T value = last;
      last = null;
      return value != null || held == null ? value : (T) HELD.getAndSet(this, null);
    }

    @Override
    void discardHeld() {
      discard(taken());
    }

    private void discard(Object value) {
      Operators.onDiscard(value, actual.currentContext());
    }

    @Override
    public void onComplete() {
      if (done) {
        return;
      }
      done = true;
      T value = taken();
      if (cancelled) {
        discard(value);
        return;
      }
      if (value != null) {
        actual.onNext(value);
      }
      actual.onComplete();
    }

    /** Requests without bound, because the end is awaited too. */
    @Override
    public void request(long n) {
      if (Operators.validate(n)) {
        upstream.request(Long.MAX_VALUE);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      upstream.cancel();
      discard(HELD.getAndSet(this, null));
    }
  }
}
