package io.railflux.pipeline;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Moves signals of any thread to the engine thread; signals on the engine thread pass inline.
 *
 * <p>It requests upstream within the demand of downstream and at most {@code prefetch} at a time. Synchronous sources
 * ({@link Fuseable#SYNC}) are pulled without a queue, on request by downstream itself. Downstream must request and
 * cancel on the engine thread, or through {@link EngineAffinity#execute}; calls of other threads are moved there.
 */
public final class OnEngine<T> extends Flux<T> {

  private final Publisher<? extends T> source;
  private final EngineAffinity engine;
  private final int prefetch;

  public OnEngine(Publisher<? extends T> source, EngineAffinity engine, int prefetch) {
    if (prefetch < 1) {
      throw new IllegalArgumentException("prefetch must be at least 1, was " + prefetch);
    }
    this.source = source;
    this.engine = engine;
    this.prefetch = prefetch;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    ThreadLocals.around(source).subscribe(new Inlet<>(actual, engine, prefetch));
  }

  private static final class Inlet<T>
      implements CoreSubscriber<T>, Fuseable.QueueSubscription<T>, Stoppable, Runnable {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Inlet> SCHEDULED =
        AtomicIntegerFieldUpdater.newUpdater(Inlet.class, "scheduled");

    private final CoreSubscriber<? super T> actual;
    private final EngineAffinity engine;
    private final int prefetch;

    // Written by the upstream thread, read by the engine.
    private Subscription upstream;
    private Queue<T> queue;
    private int fusion = Fuseable.NONE;
    private boolean pulledByDownstream;
    private Throwable error;
    private volatile boolean done;

    @SuppressWarnings("UnusedVariable") // Published by SCHEDULED.
    private volatile int scheduled;

    // Requests and cancellations of other threads.
    private volatile boolean cancelled;

    // Engine thread only.
    private long requested;
    private long outstanding;
    private boolean draining;
    private boolean terminated;

    Inlet(CoreSubscriber<? super T> actual, EngineAffinity engine, int prefetch) {
      this.actual = actual;
      this.engine = engine;
      this.prefetch = prefetch;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void onSubscribe(Subscription s) {
      if (!Operators.validate(upstream, s)) {
        return;
      }
      upstream = s;
      if (s instanceof Fuseable.QueueSubscription) {
        Fuseable.QueueSubscription<T> fuseable = (Fuseable.QueueSubscription<T>) s;
        // Needs no barrier: pulled on the engine thread, where the subscription happened.
        fusion = fuseable.requestFusion(Fuseable.SYNC);
        if (fusion == Fuseable.SYNC) {
          queue = fuseable;
          done = true;
        }
      }
      if (queue == null) {
        queue = Queues.<T>get(prefetch).get();
      }
      if (engine.inEngine()) {
        begin();
      } else {
        engine.execute(this::begin);
      }
    }

    /** A source may pass its subscription on any thread; downstream receives it on the engine thread. */
    private void begin() {
      actual.onSubscribe(this);
      if (done && !pulledByDownstream) {
        drain();
      }
    }

    @Override
    public int requestFusion(int mode) {
      pulledByDownstream = fusion == Fuseable.SYNC && (mode & Fuseable.SYNC) != 0;
      return pulledByDownstream ? Fuseable.SYNC : Fuseable.NONE;
    }

    @Override
    public T poll() {
      return queue.poll();
    }

    @Override
    public int size() {
      return queue.size();
    }

    @Override
    public boolean isEmpty() {
      return queue.isEmpty();
    }

    @Override
    public void clear() {
      queue.clear();
    }

    @Override
    public void onNext(T value) {
      if (done || terminated || cancelled) {
        // Happens after the end, or beyond the demand; the value is not accepted.
        Operators.onDiscard(value, actual.currentContext());
        return;
      }
      if (engine.inEngine() && !draining && requested > 0 && queue.isEmpty()) {
        passThrough(value);
      } else if (!queue.offer(value)) {
        Operators.onDiscard(value, actual.currentContext());
        cancelUpstream();
        onError(reactor.core.Exceptions.failWithOverflow(
            "the source emitted more than the " + prefetch + " values requested of it"));
      } else {
        schedule();
      }
    }

    /** Engine thread; no value waits before this one. */
    private void passThrough(T value) {
      draining = true;
      try {
        deliver(value);
      } finally {
        draining = false;
      }
      drain();
    }

    private void deliver(T value) {
      requested--;
      outstanding--;
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable t) {
      Objects.requireNonNull(t, "error");
      if (done) {
        Operators.onErrorDropped(t, actual.currentContext());
        return;
      }
      error = t;
      done = true;
      schedule();
    }

    @Override
    public void onComplete() {
      if (!done) {
        done = true;
        schedule();
      }
    }

    @Override
    public void request(long n) {
      if (!Operators.validate(n)) {
        return;
      }
      if (engine.inEngine()) {
        requested = Operators.addCap(requested, n);
        drain();
      } else {
        engine.execute(() -> request(n));
      }
    }

    @Override
    public void cancel() {
      if (cancelled) {
        return;
      }
      cancelled = true;
      cancelUpstream();
      schedule();
    }

    private void cancelUpstream() {
      UserFailure.cancel(upstream);
    }

    @Override
    public void stop(Throwable reason) {
      if (terminated || cancelled) {
        return;
      }
      cancelUpstream();
      if (fusion == Fuseable.SYNC) {
        // The queue is the source, so no value was taken.
        terminated = true;
        queue.clear();
        actual.onError(reason);
        return;
      }
      end(reason);
      drain();
    }

    private void schedule() {
      if (engine.inEngine()) {
        drain();
      } else if (SCHEDULED.compareAndSet(this, 0, 1)) {
        engine.execute(this);
      }
    }

    @Override
    public void run() {
      // Cleared before the poll: a later value schedules again.
      scheduled = 0;
      drain();
    }

    private void drain() {
      if (draining || terminated) {
        if (terminated) {
          // Another thread added a value during the end.
          discardQueued();
        }
        return;
      }
      draining = true;
      try {
        do {
          pull();
          deliverQueued();
        } while (!terminated && fusion != Fuseable.SYNC && wantsMore());
      } finally {
        draining = false;
      }
    }

    private boolean wantsMore() {
      return !cancelled && requested > 0 && (!queue.isEmpty() || (!done && refill() > 0));
    }

    /** Returns the number to request now; requesting single values would cost a call each. */
    private long refill() {
      long wanted = Math.min(requested, prefetch) - outstanding;
      return wanted > prefetch >> 2 || outstanding == 0 ? wanted : 0;
    }

    /** Keeps min(requested, prefetch) values outstanding; re-entrant values enter the queue. */
    private void pull() {
      if (fusion == Fuseable.SYNC || done || cancelled) {
        return;
      }
      long wanted = refill();
      if (wanted > 0) {
        outstanding += wanted;
        try {
          upstream.request(wanted);
        } catch (Throwable t) {
          end(UserFailure.of(upstream, t, null, actual.currentContext()));
        }
      }
    }

    /** Delivers the values before the end first. */
    private void end(Throwable reason) {
      if (!done) {
        error = reason;
        done = true;
      }
    }

    private void deliverQueued() {
      while (true) {
        if (cancelled) {
          terminated = true;
          discardQueued();
          return;
        }
        boolean ended = done;
        if (requested == 0 && (!ended || !queue.isEmpty())) {
          return;
        }
        T value;
        try {
          // Also without values or demand: a source completes only on a further poll, which may
          // fail.
          value = queue.poll();
        } catch (Throwable t) {
          terminated = true;
          actual.onError(UserFailure.of(upstream, t, null, actual.currentContext()));
          return;
        }
        if (value == null) {
          if (ended) {
            terminate();
          }
          return;
        }
        deliver(value);
      }
    }

    /** A fused source may be endless, so its values are not discarded. */
    private void discardQueued() {
      if (fusion == Fuseable.SYNC) {
        queue.clear();
      } else {
        Operators.onDiscardQueueWithClear(queue, actual.currentContext(), null);
      }
    }

    private void terminate() {
      terminated = true;
      if (error != null) {
        actual.onError(error);
      } else {
        actual.onComplete();
      }
    }
  }
}
