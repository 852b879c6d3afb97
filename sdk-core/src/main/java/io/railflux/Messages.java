package io.railflux;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.message.Message;
import io.railflux.message.PooledMessage;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Metadatas;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Owned messages of a node (D4): copies of eager payloads in a budgeted pool. */
final class Messages {

  static final String CODEC = "bytes";

  /** The smallest piece of memory a message takes. */
  static final int LEAST_BUDGET_BYTES = 64;

  /** A stream that is idle keeps its share from the others: it must be a small one. */
  private static final int SHARES = 16;

  private final BufferPool pool;
  private final int maxMessageBytes;
  private final long share;
  private final AtomicBoolean wakeQueued = new AtomicBoolean();
  private volatile boolean starved;

  // Engine thread only.
  private final List<Claimant> claimants = new ArrayList<>();
  private long reserved;

  Messages(Settings settings) {
    // A pooled buffer takes the next power of two.
    this.maxMessageBytes =
        Integer.highestOneBit(Math.max(1, settings.limits().maxMessageBytes() - 1)) << 1;
    this.pool = new BufferPool(
        settings.name(), settings.options().messageBudgetBytes(), LeakDetection.SAMPLED);
    this.share = Math.max(1, pool.budgetBytes() / maxMessageBytes / SHARES);
  }

  /** Somebody whose demand waits for the budget. */
  interface Claimant {

    /** Asks for as much as it wants. Engine thread only. */
    void grant();
  }

  /** Messages closed on any thread free budget: claimants are asked again on the engine thread. */
  void wakeOnRelease(EngineAffinity engine) {
    pool.onRelease(() -> {
      if (starved && wakeQueued.compareAndSet(false, true)) {
        engine.execute(this::wakeClaimants);
      }
    });
  }

  private void wakeClaimants() {
    wakeQueued.set(false);
    starved = false;
    // A copy: whoever gets messages now may end.
    new ArrayList<>(claimants).forEach(Claimant::grant);
  }

  void register(Claimant claimant) {
    claimants.add(claimant);
  }

  void unregister(Claimant claimant) {
    claimants.remove(claimant);
  }

  /**
   * Reserves room for up to {@code wanted} messages of any size, for somebody who holds {@code held}
   * such places; returns for how many.
   */
  long reserve(long wanted, long held) {
    long most = Math.min(wanted, share - held);
    long granted = take(most);
    if (granted < most) {
      starved = true;
      // What was closed before that word was set woke nobody.
      granted += take(most - granted);
    }
    return granted;
  }

  private long take(long wanted) {
    long free = (pool.budgetBytes() - pool.outstandingBytes()) / maxMessageBytes - reserved;
    long granted = Math.max(0, Math.min(wanted, free));
    reserved += granted;
    return granted;
  }

  /** Places that were used or are not needed any more; others may wait for them. */
  void unreserve(long count) {
    reserved -= count;
    if (starved) {
      wakeClaimants();
    }
  }

  Incoming<Message> incoming(String stream) {
    return frame -> copy(stream, frame);
  }

  private Message copy(String stream, ReceivedFrame frame) {
    var headers = Metadatas.decode(frame).headers();
    Message message = PooledMessage.copyOf(stream, headers, Incoming.body(frame), pool);
    if (message == null) {
      throw new IllegalStateException(
          "stream '" + stream + "': the message budget of " + pool.budgetBytes()
              + " B is exhausted; close messages sooner or raise messageBudgetBytes");
    }
    return message;
  }

  /** Messages nobody closed yet. */
  int outstanding() {
    return pool.outstanding();
  }

  void close() {
    pool.close();
  }
}
