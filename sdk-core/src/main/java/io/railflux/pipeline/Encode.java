package io.railflux.pipeline;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Claim and encode: each value is written into an entry of the sender's log, which goes downstream to
 * be sequenced and posted. From a synchronous source ({@link Fuseable#SYNC}) values are pulled
 * while there is room, so at most one waits; what another source emitted waits here in order, never
 * more than downstream requested.
 *
 * <p>What fits into the frame that the messages before it began goes there without being emitted: what is pulled by
 * {@link SlotSource#fill}, in a row, what was emitted or waited by {@link SlotSource#gather}.
 *
 * <p>Engine thread only. The emitted {@link Slot} is reused. A value whose time to live ran out while
 * it waited is emitted as {@link Slot#expired} without content. An exception of the codec, or a message
 * that can never fit, cancels upstream and ends the stream with that error.
 */
public final class Encode<T> extends Flux<Slot> {

  private final Flux<? extends T> source;
  private final Outgoing<T> outgoing;
  private final SlotSource slots;

  public Encode(Flux<? extends T> source, Outgoing<T> outgoing, SlotSource slots) {
    this.source = source;
    this.outgoing = outgoing;
    this.slots = slots;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Slot> actual) {
    source.subscribe(new Encoder<>(actual, outgoing, slots));
  }

  /** Says nothing but that; so one is enough. */
  private static final Slot EXPIRED = new Slot();

  static {
    EXPIRED.expired = true;
  }

  private static final int GONE = -1;

  private static final class Encoder<T> extends Filling<T>
      implements CoreSubscriber<T>, Subscription, Stoppable, Runnable {

    private final CoreSubscriber<? super Slot> actual;
    private final Outgoing<T> outgoing;
    private final SlotSource slots;

    private Subscription upstream;

    // A synchronous source and what downstream wants of it; null for others, which are told
    // at once.
    private Fuseable.QueueSubscription<T> pulled;
    private long requested;
    private boolean pulling;
    /** Source and codec run, and what they sent is not counted yet: an end waits for that. */
    private boolean filling;

    // Most streams never wait: made for the first value that does.
    private Queue<T> waiting = Queues.<T>empty().get();
    private LongRing deadlines;
    private boolean backlog;
    /** First of those that wait while it is sent: whatever comes of that, it is not discarded. */
    private T leaving;

    private boolean done;
    private Throwable error;
    private boolean terminated;

    Encoder(CoreSubscriber<? super Slot> actual, Outgoing<T> outgoing, SlotSource slots) {
      this.actual = actual;
      this.outgoing = outgoing;
      this.slots = slots;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (Operators.validate(upstream, s)) {
        upstream = s;
        pulled = synchronous(s);
        actual.onSubscribe(this);
        if (pulled != null) {
          // An empty one ends without being asked.
          pull();
        }
      }
    }

    @SuppressWarnings("unchecked")
    private Fuseable.QueueSubscription<T> synchronous(Subscription s) {
      if (s instanceof Fuseable.QueueSubscription<?> fuseable
          && fuseable.requestFusion(Fuseable.SYNC) == Fuseable.SYNC) {
        return (Fuseable.QueueSubscription<T>) fuseable;
      }
      return null;
    }

    @Override
    public void request(long n) {
      if (pulled == null) {
        upstream.request(n);
      } else if (Operators.validate(n)) {
        requested = Operators.addCap(requested, n);
        if (!pulling) {
          pull();
        }
      }
    }

    /** Takes values while they are wanted and there is room for them. */
    private void pull() {
      pulling = true;
      try {
        while (requested > 0 && !backlog && !terminated && !done) {
          if (!fillFrame()) {
            pullOne();
          }
        }
        if (requested == 0 && !backlog && !terminated && !done && pulled.isEmpty()) {
          end();
        }
      } catch (Throwable t) {
        onError(UserFailure.of(upstream, t, null, actual.currentContext()));
      } finally {
        pulling = false;
      }
    }

    /** Nothing is left: only a source that is asked once more ends, which may fail, and gives back what it holds. */
    private void end() {
      T value = pulled.poll();
      if (value == null) {
        onComplete();
      } else {
        fail(value, new IllegalStateException("a source that was empty had a value"));
      }
    }

    /** Most of what is pulled goes this way. Returns false when there was nothing to fill. */
    private boolean fillFrame() {
      clear();
      int added = 0;
      filling = true;
      try {
        added = slots.fill(this, outgoing, requested);
      } finally {
        filling = false;
      }
      requested -= added;
      if (done && !terminated) {
        terminate();
      }
      T value = left;
      left = null;
      if (failure != null && value == null) {
        onError(UserFailure.of(upstream, failure, null, actual.currentContext()));
      } else if (failure != null) {
        fail(value, failure);
      } else if (ended && !done && !terminated) {
        onComplete();
      } else if (value != null && !discardIfOver(value)) {
        requested--;
        if (!send(value, leftMaxBytes, 0)) {
          park(value);
        }
      }
      return added > 0 || value != null || failure != null || ended;
    }

    private void pullOne() {
      T value = pulled.poll();
      if (value == null) {
        onComplete();
      } else {
        requested--;
        sendOrPark(value);
      }
    }

    @Override
    public T next() {
      return pulled.poll();
    }

    @Override
    public boolean isOver() {
      return terminated || done;
    }

    private void sendOrPark(T value) {
      int maxBytes = gather(value, 0);
      if (maxBytes != GONE && !send(value, maxBytes, 0)) {
        park(value);
      }
    }

    @Override
    public void onNext(T value) {
      if (terminated) {
        Operators.onDiscard(value, actual.currentContext());
      } else if (backlog) {
        park(value);
      } else {
        sendOrPark(value);
      }
    }

    private void park(T value) {
      if (!terminated) {
        if (deadlines == null) {
          waiting = new ArrayDeque<>();
          deadlines = new LongRing();
        }
        waiting.add(value);
        backlog = true;
        long timeToLive = outgoing.timeToLiveNanos(value);
        deadlines.add(timeToLive > 0 ? slots.nowNanos() + timeToLive : 0);
      }
    }

    /**
     * Puts the value into the frame that is open, where most find room; or ends the stream with it. Short, so
     * that it is compiled into the loops that call it.
     *
     * @return {@link #GONE}, or how many bytes it may take, if it has to be sent otherwise
     */
    private int gather(T value, long deadlineNanos) {
      Outgoing<T> how = outgoing;
      int bytes;
      try {
        int maxBytes = Encoding.requireSize(how.maxBodyBytes(value));
        Slot open = deadlineNanos == 0 && how.isBare(value) ? slots.gather(maxBytes) : null;
        if (open == null) {
          return maxBytes;
        }
        bytes = Encoding.body(how, value, open, open.bodyOffset, maxBytes);
      } catch (Throwable t) {
        fail(value, t);
        return GONE;
      }
      if (!discardIfOver(value)) {
        slots.gathered(bytes);
      }
      return GONE;
    }

    /** Whether its own source or codec ended the stream, and then discards it; the end is told already. */
    private boolean discardIfOver(T value) {
      if (terminated) {
        Operators.onDiscard(value, actual.currentContext());
      }
      return terminated;
    }

    /** Returns false when there was no room, or the stream ended with this value. */
    private boolean send(T value, int maxBytes, long deadlineNanos) {
      Slot slot;
      try {
        slot = encode(value, maxBytes, deadlineNanos);
      } catch (Throwable t) {
        fail(value, t);
        return false;
      }
      if (discardIfOver(value) || slot == null) {
        return false;
      }
      actual.onNext(slot);
      return true;
    }

    private Slot encode(T value, int maxBytes, long deadlineNanos) {
      // Looked up once: a claim in between might change a field, for all the compiler knows.
      Outgoing<T> how = outgoing;
      var metadata = how.metadata(value);
      long timeToLive = how.timeToLiveNanos(value);
      if (deadlineNanos != 0) {
        timeToLive = deadlineNanos - slots.nowNanos();
      }
      int metadataBytes = metadata == null ? 0 : metadata.remaining();
      ByteBuffer lent = slots.isLarge(maxBytes) ? how.inPlace(value) : null;
      if (terminated) {
        // By one of these calls: nobody would give back what is claimed now.
        return null;
      }
      Slot slot = lent == null
          ? slots.claim(maxBytes, metadataBytes, timeToLive > 0, this)
          : slots.lend(lent, metadataBytes, timeToLive > 0, this);
      if (slot == null) {
        return null;
      }
      slot.metadata = metadata;
      slot.timeToLiveNanos = timeToLive;
      if (lent == null) {
        slot.bodyBytes = Encoding.body(how, value, slot, slot.bodyOffset, maxBytes);
      }
      return slot;
    }

    /** Room again for the values that wait. */
    @Override
    public void run() {
      while (!terminated && backlog) {
        leaving = waiting.peek();
        boolean gone = sendWaiting(leaving, deadlines.peek());
        leaving = null;
        if (!gone) {
          return;
        }
        // Absent when the stream was cancelled from inside.
        waiting.poll();
        deadlines.poll();
        backlog = !waiting.isEmpty();
      }
      if (done && !terminated) {
        terminate();
      } else if (pulled != null && !pulling) {
        pull();
      }
    }

    private boolean sendWaiting(T value, long deadlineNanos) {
      if (deadlineNanos != 0 && deadlineNanos - slots.nowNanos() <= 0) {
        actual.onNext(EXPIRED);
        Operators.onDiscard(value, actual.currentContext());
        return true;
      }
      int maxBytes = gather(value, deadlineNanos);
      return maxBytes == GONE || send(value, maxBytes, deadlineNanos);
    }

    private void fail(T value, Throwable t) {
      terminated = true;
      Context context = actual.currentContext();
      Throwable failure = UserFailure.of(upstream, t, value, context);
      Operators.onDiscard(value, context);
      discardWaiting(context, value);
      actual.onError(failure);
    }

    @Override
    public void onError(Throwable t) {
      if (terminated || done) {
        Operators.onErrorDropped(t, actual.currentContext());
        return;
      }
      error = t;
      onComplete();
    }

    @Override
    public void onComplete() {
      done = true;
      interrupted = true;
      if (!backlog && !terminated && !filling) {
        terminate();
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

    @Override
    public void cancel() {
      boolean ended = done || terminated;
      terminated = true;
      interrupted = true;
      if (!ended) {
        upstream.cancel();
      }
      discardWaiting(actual.currentContext(), leaving);
    }

    @Override
    public void stop(Throwable reason) {
      if (terminated || done) {
        return;
      }
      if (upstream instanceof Stoppable stoppable) {
        stoppable.stop(reason);
      } else {
        upstream.cancel();
        onError(reason);
      }
    }

    /** @param except the first of them, if it is none of those to be discarded */
    private void discardWaiting(Context context, T except) {
      if (except != null && waiting.peek() == except) {
        waiting.poll();
      }
      leaving = null;
      // Who hears of it may cancel.
      for (T value = waiting.poll(); value != null; value = waiting.poll()) {
        Operators.onDiscard(value, context);
      }
      backlog = false;
      if (deadlines != null) {
        deadlines.clear();
      }
    }
  }
}
