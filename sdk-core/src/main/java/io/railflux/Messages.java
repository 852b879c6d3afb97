package io.railflux;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.PooledBuffer;
import io.railflux.message.Message;
import io.railflux.message.PooledMessage;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.Metadatas;
import io.railflux.wire.ReceivedFrame;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Owned messages of a node (D4): copies of eager payloads in a budgeted pool; large ones are handed over
 * in the memory they arrived in, which has a budget of its own.
 */
final class Messages {

  static final String CODEC = "bytes";

  /** The smallest piece of memory a message takes. */
  static final int LEAST_BUDGET_BYTES = 64;

  private final BufferPool pool;
  private final MessageBudget budget;
  private final AtomicBoolean wakeQueued = new AtomicBoolean();

  private final EngineAffinity engine;

  /** Messages closed on any thread make room: who waits for it is asked on the {@code engine}. */
  Messages(Settings settings, EngineAffinity engine) {
    this.engine = engine;
    long budgetBytes = settings.options().messageBudgetBytes();
    this.pool = new BufferPool(settings.name(), budgetBytes, LeakDetection.SAMPLED);
    // Lent memory is counted as what it takes: the next power of two.
    long place = placeBytes(settings.mostEagerBytes());
    this.budget = new MessageBudget(
        Math.max(1, budgetBytes / place), () -> (pool.outstandingBytes() + place - 1) / place);
    pool.onRelease(this::wakeWaiting);
  }

  private static long placeBytes(int maxMessageBytes) {
    return Long.highestOneBit(Math.max(LEAST_BUDGET_BYTES, 2L * maxMessageBytes - 1));
  }

  private void wakeWaiting() {
    if (budget.isAwaited() && wakeQueued.compareAndSet(false, true)) {
      engine.execute(this::wake);
    }
  }

  private void wake() {
    wakeQueued.set(false);
    budget.released();
  }

  MessageBudget budget() {
    return budget;
  }

  /** @param onClose runs on the thread that closes the message, before its memory is free */
  Message own(String stream, ReceivedFrame frame, Runnable onClose) {
    var headers = Metadatas.decode(frame).headers();
    PooledBuffer landed = frame.takePayload();
    if (landed != null) {
      // It gives back no memory of the pool, but its stream may hold nothing now.
      return PooledMessage.owning(stream, headers, landed, () -> {
        onClose.run();
        wakeWaiting();
      });
    }
    return PooledMessage.copyOf(stream, headers, frame.body(), pool, onClose);
  }

  /** Messages nobody closed yet. */
  int outstanding() {
    return pool.outstanding();
  }

  void close() {
    pool.close();
  }
}
