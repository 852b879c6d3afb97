package io.railflux.pipeline;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.ReceivedFrame;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

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
    Incoming<T> how = ThreadLocals.around(incoming, actual.currentContext());
    source.subscribe(new Decoder<>(actual, how));
  }

  private static final class Decoder<T> implements CoreSubscriber<ReceivedFrame>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Decoder, Object> HELD =
        AtomicReferenceFieldUpdater.newUpdater(Decoder.class, Object.class, "held");

    private final CoreSubscriber<? super T> actual;
    private final Incoming<T> incoming;
    private Subscription upstream;
    private boolean done;

    /** Value of a last frame; the end follows in the same call. */
    private T last;

    /** Value of any other frame, until the end or a cancellation takes it. */
    private volatile Object held;

    // Called by any thread.
    private volatile boolean cancelled;

    Decoder(CoreSubscriber<? super T> actual, Incoming<T> incoming) {
      this.actual = actual;
      this.incoming = incoming;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (Operators.validate(upstream, s)) {
        upstream = s;
        actual.onSubscribe(this);
      }
    }

    @Override
    public void onNext(ReceivedFrame frame) {
      if (done) {
        return;
      }
      T value;
      try {
        if (last != null || held != null) {
          throw new IndexOutOfBoundsException("a second reply came where one at most was due");
        }
        value = Objects.requireNonNull(incoming.decode(frame), "the codec decoded null");
      } catch (Throwable t) {
        done = true;
        discard(taken());
        actual.onError(UserFailure.of(upstream, t, null, actual.currentContext()));
        return;
      }
      if (frame.has(FrameFlags.LAST)) {
        last = value;
      } else {
        held = value;
      }
      if (cancelled) {
        // The codec may have cancelled, and a cancellation takes the held value only once.
        discard(taken());
      }
    }

    @SuppressWarnings("unchecked")
    private T taken() {
      T value = last;
      last = null;
      return value != null || held == null ? value : (T) HELD.getAndSet(this, null);
    }

    private void discard(Object value) {
      Operators.onDiscard(value, actual.currentContext());
    }

    @Override
    public void onError(Throwable t) {
      if (done) {
        Operators.onErrorDropped(t, actual.currentContext());
        return;
      }
      done = true;
      discard(taken());
      actual.onError(t);
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
