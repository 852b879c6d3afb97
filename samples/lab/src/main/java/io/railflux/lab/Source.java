package io.railflux.lab;

import io.railflux.lab.FlowPlan.SourceKind;
import java.util.function.Consumer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;

/** Emits the messages of one flow as its plan requires, within the requested demand. */
final class Source implements Publisher<Payload>, Subscription {

  /** The failure of a source. */
  static final class SourceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceFailure(String message) {
      super(message, null, false, false);
    }
  }

  private final Flow flow;
  private final SimulatedNode node;
  private final SeededRandom random;
  private Subscriber<? super Payload> subscriber;
  private long pending;
  private boolean emitting;
  private boolean ticking;
  private boolean over;

  private Source(Flow flow, SimulatedNode node, SeededRandom random) {
    this.flow = flow;
    this.node = node;
    this.random = random;
  }

  static Publisher<Payload> of(Flow flow, SimulatedNode node, SeededRandom random) {
    boolean fusable = flow.plan.story() != Story.SOURCE_FAILS;
    if (flow.plan.manner().source() == SourceKind.FUSED && fusable) {
      return Flux.range(0, flow.plan.count()).map(number -> flow.emit());
    }
    return new Source(flow, node, random);
  }

  @Override
  public void subscribe(Subscriber<? super Payload> newSubscriber) {
    subscriber = newSubscriber;
    newSubscriber.onSubscribe(this);
    endIfDue();
  }

  @Override
  public void request(long n) {
    flow.asked(n);
    pending += n;
    switch (flow.plan.manner().source()) {
      case FUSED, SYNC -> emit(Integer.MAX_VALUE);
      default -> tick();
    }
  }

  private void tick() {
    if (ticking || over || pending == 0) {
      return;
    }
    ticking = true;
    switch (flow.plan.manner().source()) {
      case ASYNC_ENGINE -> node.laterOnEngine(random.micros(0, 20), this::ticked);
      case ASYNC_FOREIGN -> node.later(random.micros(0, 20), this::ticked);
      default -> node.later(random.micros(0, 400), this::ticked);
    }
  }

  private void ticked() {
    ticking = false;
    boolean bursts = flow.plan.manner().source() == SourceKind.BURSTS;
    emit(bursts ? 256 : random.between(1, 8));
    tick();
  }

  private void emit(int most) {
    if (emitting) {
      return;
    }
    emitting = true;
    // An empty source has not ended yet if the request arrives during the subscription.
    endIfDue();
    for (int i = 0; i < most && pending > 0 && !over; i++) {
      pending--;
      subscriber.onNext(flow.emit());
      endIfDue();
    }
    emitting = false;
  }

  private void endIfDue() {
    boolean fails = flow.plan.story() == Story.SOURCE_FAILS;
    if (over || flow.emitted() < (fails ? flow.plan.at() : flow.plan.count())) {
      return;
    }
    over = true;
    Consumer<Subscriber<?>> end =
        fails ? s -> s.onError(new SourceFailure(flow.name)) : Subscriber::onComplete;
    end.accept(subscriber);
  }

  @Override
  public void cancel() {
    over = true;
  }
}
