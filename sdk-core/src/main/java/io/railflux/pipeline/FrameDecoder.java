package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Decodes received frames one by one, inline. A view into the ring exists only during the decoding (D4), for
 * flyweights until {@code onNext} returns. An exception of the codec cancels upstream and fails the stream.
 */
abstract class FrameDecoder<T> implements CoreSubscriber<ReceivedFrame>, Subscription {

  final CoreSubscriber<? super T> actual;
  private final Incoming<T> incoming;
  Subscription upstream;
  boolean done;

  FrameDecoder(CoreSubscriber<? super T> actual, Incoming<T> incoming) {
    this.actual = actual;
    this.incoming = ThreadLocals.around(incoming, actual.currentContext());
  }

  @Override
  public final Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public final void onSubscribe(Subscription s) {
    if (Operators.validate(upstream, s)) {
      upstream = s;
      actual.onSubscribe(this);
    }
  }

  /** Returns the value of a frame, or null after an exception of the codec, which fails the stream. */
  final @Nullable T decode(ReceivedFrame frame) {
    try {
      return Objects.requireNonNull(incoming.decode(frame), "the codec decoded null");
    } catch (Throwable t) {
      fail(t);
      return null;
    }
  }

  /** Fails the stream for a reason on this side. */
  final void fail(Throwable t) {
    done = true;
    discardHeld();
    actual.onError(UserFailure.of(upstream, t, null, actual.currentContext()));
  }

  /** Discards a value that is decoded and not emitted. */
  void discardHeld() {}

  @Override
  public final void onError(Throwable t) {
    if (done) {
      Operators.onErrorDropped(t, actual.currentContext());
      return;
    }
    done = true;
    discardHeld();
    actual.onError(t);
  }
}
