package io.railflux.fabric.verbs.device;

import io.railflux.fabric.verbs.internal.IbvContext;
import io.railflux.fabric.verbs.internal.IbvCq;
import io.railflux.fabric.verbs.internal.IbvWc;
import io.railflux.fabric.verbs.internal.LibIbverbs;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;

/**
 * A completion queue that several endpoints share. Each endpoint reserves its outstanding requests, so the queue
 * never overflows.
 */
public final class CompletionQueue implements AutoCloseable {

  private static final int BATCH = 16;

  private final NativeScope scope = new NativeScope("completion queue");
  private final IbvContext context;
  private final long cq;
  private final int entries;
  private final IbvWc batch;
  private int reserved;
  private int next;
  private int count;

  CompletionQueue(IbvContext context, int entries, long channel) throws NativeFailure {
    this.context = context;
    this.entries = entries;
    try {
      cq = LibIbverbs.createCq(context.address(), entries, channel);
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
    scope.adopt(cq, () -> LibIbverbs.destroyCq(cq));
    batch = new IbvWc(scope, BATCH);
  }

  public long address() {
    return cq;
  }

  IbvCq structure() {
    return IbvCq.at(cq);
  }

  boolean reserve(int wanted) {
    if (reserved + wanted > entries) {
      return false;
    }
    reserved += wanted;
    return true;
  }

  public void release(int given) {
    reserved -= given;
  }

  /** Returns the index of the next completion in {@link #batch}, or -1. */
  public int next() {
    if (next == count) {
      next = 0;
      count = Math.max(0, context.pollCq(cq, BATCH, batch));
    }
    return next < count ? next++ : -1;
  }

  public IbvWc batch() {
    return batch;
  }

  /** Requests events of all completions, because the end of an own request wakes the engine too. */
  void arm() {
    context.requestNotify(cq, false);
  }

  @Override
  public void close() {
    scope.close();
  }
}
