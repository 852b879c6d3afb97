package io.railflux.pipeline;

import io.railflux.PublisherRules;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams rules for an operator over a range. */
public abstract class OperatorTck<T> extends PublisherRules<T> {

  private static final long QUIET_MILLIS = 20;

  /** The threads of the verification replace the engine thread. */
  static final EngineAffinity HERE = new EngineAffinity() {
    @Override
    public boolean inEngine() {
      return true;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  };

  OperatorTck() {
    super(QUIET_MILLIS);
  }

  abstract Publisher<T> over(Flux<Integer> source);

  @Override
  public Publisher<T> createPublisher(long elements) {
    return over(Flux.range(0, (int) Math.min(elements, Integer.MAX_VALUE)));
  }

  @Override
  public Publisher<T> createFailedPublisher() {
    return over(Flux.error(new IllegalStateException("failed")));
  }
}
