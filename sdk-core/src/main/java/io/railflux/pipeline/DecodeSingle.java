package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import java.util.Objects;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * As {@link Decode}, for a source of one frame at most: in one step what {@code singleOrEmpty} would do in a
 * second one, at a tenth of a request's time. The value is told together with the end, when no second frame
 * can come any more; one that does ends it with an {@link IndexOutOfBoundsException}.
 */
public final class DecodeSingle<T> extends Mono<T> {

  private final Flux<ReceivedFrame> source;
  private final Incoming<T> incoming;

  public DecodeSingle(Flux<ReceivedFrame> source, Incoming<T> incoming) {
    this.source = source;
    this.incoming = incoming;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    source.subscribe(new Decoder<>(actual, incoming));
  }

  private static final class Decoder<T> implements CoreSubscriber<ReceivedFrame>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private final Incoming<T> incoming;
    private Subscription upstream;
    private T value;
    private boolean done;

    // Of any thread.
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
      try {
        if (value != null) {
          throw new IndexOutOfBoundsException("a second reply came where one at most was due");
        }
        value = Objects.requireNonNull(incoming.decode(frame), "the codec decoded null");
      } catch (Throwable t) {
        done = true;
        discard();
        actual.onError(UserFailure.of(upstream, t, null, actual.currentContext()));
      }
    }

    private void discard() {
      T discarded = value;
      value = null;
      Operators.onDiscard(discarded, actual.currentContext());
    }

    @Override
    public void onError(Throwable t) {
      if (done) {
        Operators.onErrorDropped(t, actual.currentContext());
        return;
      }
      done = true;
      discard();
      actual.onError(t);
    }

    @Override
    public void onComplete() {
      if (done) {
        return;
      }
      done = true;
      if (cancelled) {
        discard();
        return;
      }
      if (value != null) {
        actual.onNext(value);
      }
      actual.onComplete();
    }

    /** The end is waited for, too: as many as may come. */
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
    }
  }
}
