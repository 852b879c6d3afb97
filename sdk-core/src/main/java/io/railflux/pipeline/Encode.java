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

// More than 400 lines: one operator; fusion and the plain protocol share its fields.
/**
 * Claims room and encodes: each value is written into an entry of the sender's log, which downstream sequences and
 * posts. Values of a synchronous source ({@link Fuseable#SYNC}) are pulled while there is room, so at most one waits.
 * Values of other sources wait here in order, within the demand of downstream.
 *
 * <p>A value that fits into the open frame of its stream is added without being emitted: pulled values by {@link
 * SlotSource#fill} in a loop, emitted or waiting values by {@link SlotSource#gather}.
 *
 * <p>Engine thread only. The emitted {@link Slot} is reused. A value whose time to live elapses while it waits is
 * emitted as {@link Slot#expired} without content. An exception of the codec, or a message that can never fit,
 * cancels upstream and fails the stream.
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
    Outgoing<T> how = ThreadLocals.around(outgoing, actual.currentContext());
    source.subscribe(new Encoder<>(actual, how, slots));
  }

  /** Shared slot without content. */
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

    // A synchronous source and its demand; null for other sources, which receive demand at once.
    private Fuseable.QueueSubscription<T> pulled;
    private long requested;
    private boolean pulling;
    /** Source and codec run, and their messages are not counted yet; an end waits for that. */
    private boolean filling;

    // Created for the first waiting value; most streams have none.
    private Queue<T> waiting = Queues.<T>empty().get();
    private LongRing deadlines;
    private boolean backlog;
    /** First waiting value while it is sent; never discarded. */
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
          // An empty source completes without demand.
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

    /** Takes values within demand and room. */
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

    /** A source completes only on a further poll. The poll may fail, and releases the resources of the source. */
    private void end() {
      T value = pulled.poll();
      if (value == null) {
        onComplete();
      } else {
        fail(value, new IllegalStateException("a source that was empty had a value"));
      }
    }

    /** Usual path of pulled values. Returns false if no value was added. */
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
      End result = result();
      finish(result, takeLeft());
      return added > 0 || result != End.FULL;
    }

    /** @param left value that was taken and not added, or null */
    private void finish(End result, T left) {
      switch (result) {
        case FAILED -> {
          if (left == null) {
            onError(UserFailure.of(upstream, failure(), null, actual.currentContext()));
          } else {
            fail(left, failure());
          }
        }
        case EXHAUSTED -> {
          if (!isOver()) {
            onComplete();
          }
        }
        case LEFT -> {
          if (!discardIfOver(left)) {
            requested--;
            if (!send(left, leftMaxBytes(), 0)) {
              park(left);
            }
          }
        }
        case FULL -> {}
      }
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
     * Adds the value to the open frame, which usually has room, or fails the stream. Short, so that it is inlined
     * into the loops.
     *
     * @return {@link #GONE}, or the size of the value in bytes if it needs another frame
     */
    private int gather(T value, long deadlineNanos) {
      Outgoing<T> how = outgoing;
      int bytes;
      try {
        int maxBytes = Encoding.requireSize(how, how.maxBodyBytes(value));
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

    /** Whether its own source or codec ended the stream, and then discards the value; the end is already signalled. */
    private boolean discardIfOver(T value) {
      if (terminated) {
        Operators.onDiscard(value, actual.currentContext());
      }
      return terminated;
    }

    /** Returns false without room, or if the stream ended with this value. */
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
      // Read once, because the compiler must assume that a claim changes the field.
      Outgoing<T> how = outgoing;
      var metadata = how.metadata(value);
      long timeToLive = how.timeToLiveNanos(value);
      if (deadlineNanos != 0) {
        timeToLive = deadlineNanos - slots.nowNanos();
      }
      int metadataBytes = metadata == null ? 0 : metadata.remaining();
      ByteBuffer lent = slots.isLarge(maxBytes) ? how.inPlace(value) : null;
      if (terminated) {
        // One of these calls ended the stream; a claim would not be returned.
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

    /** There is room for waiting values. */
    @Override
    public void run() {
      while (!terminated && backlog) {
        leaving = waiting.peek();
        boolean gone = sendWaiting(leaving, deadlines.peek());
        leaving = null;
        if (!gone) {
          return;
        }
        // Absent if a callback cancelled the stream.
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
        outgoing.forget();
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

    /** @param except the first of them, if it must not be discarded */
    private void discardWaiting(Context context, T except) {
      if (except != null && waiting.peek() == except) {
        waiting.poll();
      }
      leaving = null;
      // The receiver of the signal may cancel.
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
