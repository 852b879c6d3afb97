package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The only reply arrives, in one variant together with its end, while another thread cancels. The reply is delivered or
 * discarded, once.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the end came before the cancel")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "both discarded")
@State
public class CancelledReplyStress {

  private static final ReceivedFrame NOT_THE_LAST = Frames.of(1);

  private final Requester ended = new Requester();
  private final Requester unended = new Requester();

  private static final class Requester implements CoreSubscriber<Integer> {

    private final AtomicInteger delivered = new AtomicInteger();
    private final AtomicInteger discarded = new AtomicInteger();
    private Subscriber<? super ReceivedFrame> source;
    private Subscription subscription;

    Requester() {
      Flux<ReceivedFrame> frames = Flux.from(subscriber -> {
        source = subscriber;
        subscriber.onSubscribe(Operators.emptySubscription());
      });
      DecodeSingle.of(frames, frame -> 1).subscribe(this);
    }

    @Override
    public Context currentContext() {
      return Operators.enableOnDiscard(Context.empty(), value -> discarded.incrementAndGet());
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(1);
    }

    @Override
    public void onNext(Integer value) {
      delivered.incrementAndGet();
    }

    @Override
    public void onError(Throwable t) {
      throw new AssertionError(t);
    }

    @Override
    public void onComplete() {
      // With or without a reply.
    }
  }

  @Actor
  public void engine() {
    unended.source.onNext(NOT_THE_LAST);
    ended.source.onNext(NOT_THE_LAST);
    ended.source.onComplete();
  }

  @Actor
  public void another() {
    unended.subscription.cancel();
    ended.subscription.cancel();
  }

  @Arbiter
  public void after(III_Result result) {
    result.r1 = ended.delivered.get();
    result.r2 = ended.discarded.get();
    result.r3 = unended.discarded.get();
  }
}
