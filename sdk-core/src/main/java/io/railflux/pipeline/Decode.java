package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import java.util.Objects;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Decodes received frames one by one, inline. A view into the ring exists only during the decoding (D4), for
 * flyweights until {@code onNext} returns. An exception of the codec cancels upstream and fails the stream.
 */
public final class Decode<T> extends Flux<T> {

  private final Flux<ReceivedFrame> source;
  private final Incoming<T> incoming;

  public Decode(Flux<ReceivedFrame> source, Incoming<T> incoming) {
    this.source = source;
    this.incoming = incoming;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    // Subscribes to a Flux directly: for a Publisher the assembly of Reactor takes a tenth of the
    // time of a request.
    Incoming<T> how = ThreadLocals.around(incoming, actual.currentContext());
    source.subscribe(new Decoder<>(actual, how));
  }

  private static final class Decoder<T> implements CoreSubscriber<ReceivedFrame>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private final Incoming<T> incoming;
    private Subscription upstream;
    private boolean done;

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
        value = Objects.requireNonNull(incoming.decode(frame), "the codec decoded null");
      } catch (Throwable t) {
        done = true;
        actual.onError(UserFailure.of(upstream, t, null, actual.currentContext()));
        return;
      }
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable t) {
      if (done) {
        Operators.onErrorDropped(t, actual.currentContext());
        return;
      }
      done = true;
      actual.onError(t);
    }

    @Override
    public void onComplete() {
      if (!done) {
        done = true;
        actual.onComplete();
      }
    }

    @Override
    public void request(long n) {
      upstream.request(n);
    }

    @Override
    public void cancel() {
      upstream.cancel();
    }
  }
}
