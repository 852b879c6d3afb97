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
  private static final long MAX_GRANT = 256;

  private final BufferPool pool;
  private final int maxMessageBytes;
  private final AtomicBoolean wakeQueued = new AtomicBoolean();
  private volatile boolean starved;

  // Engine thread only.
  private final List<Claimant> claimants = new ArrayList<>();
  private long reserved;

  Messages(Railflux.Settings settings) {
    // A pooled buffer takes the next power of two.
    this.maxMessageBytes =
        Integer.highestOneBit(Math.max(1, settings.limits().maxMessageBytes() - 1)) << 1;
    this.pool = new BufferPool(
        settings.name(), settings.options().messageBudgetBytes(), LeakDetection.SAMPLED);
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
    new ArrayList<>(claimants).forEach(Claimant::grant);
  }

  void register(Claimant claimant) {
    claimants.add(claimant);
  }

  void unregister(Claimant claimant) {
    claimants.remove(claimant);
  }

  /** Reserves room for up to {@code wanted} messages of any size; returns for how many. */
  long reserve(long wanted) {
    long free = (pool.budgetBytes() - pool.outstandingBytes()) / maxMessageBytes - reserved;
    long granted = Math.max(0, Math.min(Math.min(wanted, free), MAX_GRANT));
    reserved += granted;
    if (granted < wanted) {
      starved = true;
    }
    return granted;
  }

  void unreserve(long count) {
    reserved -= count;
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
