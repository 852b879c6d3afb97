package io.railflux.pipeline;

import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/** A subscription that counts its demand on the engine thread. Any thread may request. */
public abstract class EngineSubscription implements Subscription {

  private final EngineAffinity engine;

  /** Demand; engine thread only. The subclass subtracts what it emits. */
  protected long requested;

  protected EngineSubscription(EngineAffinity engine) {
    this.engine = engine;
  }

  @Override
  public final void request(long n) {
    if (!Operators.validate(n)) {
      return;
    }
    if (engine.inEngine()) {
      add(n);
    } else {
      engine.execute(() -> add(n));
    }
  }

  private void add(long n) {
    requested = Operators.addCap(requested, n);
    onDemand();
  }

  /** Handles further demand, on the engine thread. */
  protected abstract void onDemand();

  protected final boolean inEngine() {
    return engine.inEngine();
  }

  /** Runs a task on the engine thread, later. */
  protected final void execute(Runnable task) {
    engine.execute(task);
  }
}
