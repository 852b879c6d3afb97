package io.railflux.budget;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.LoanAccount;
import io.railflux.buffer.PooledBuffer;
import io.railflux.message.Message;
import io.railflux.message.PooledMessage;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.Metadatas;
import io.railflux.wire.ReceivedFrame;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Owned messages of a node (D4): copies of eager payloads in a budgeted pool. Large messages keep the memory in which
 * they arrived, which has a separate budget.
 */
public final class Messages {

  public static final String CODEC = "bytes";

  /** Smallest piece of memory of a message. */
  public static final int MIN_BUDGET_BYTES = 64;

  private final BufferPool pool;
  private final MessageBudget budget;
  private final AtomicBoolean wakeQueued = new AtomicBoolean();

  private final EngineAffinity engine;

  /**
   * Messages closed on any thread make room.
   *
   * @param node its name, for errors
   * @param budgetBytes memory of all messages that are not closed
   * @param maxEagerBytes the longest message that is copied
   * @param engine waiting streams retry on it
   */
  public Messages(String node, long budgetBytes, int maxEagerBytes, EngineAffinity engine) {
    this.engine = engine;
    this.pool = new BufferPool(node, budgetBytes, LeakDetection.SAMPLED);
    // Lent memory counts with its size class, the next power of two.
    long place = placeBytes(maxEagerBytes);
    this.budget = new MessageBudget(
        Math.max(1, budgetBytes / place), () -> (pool.outstandingBytes() + place - 1) / place);
    pool.onRelease(this::wakeWaiting);
  }

  private static long placeBytes(int maxMessageBytes) {
    return Long.highestOneBit(Math.max(MIN_BUDGET_BYTES, 2L * maxMessageBytes - 1));
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

  public MessageBudget budget() {
    return budget;
  }

  /** Returns the messages of a subscription of {@code stream}. Any thread. */
  public Holding hold(String stream) {
    return new Holding(stream);
  }

  /**
   * Messages of one subscription. A message copied from a ring takes memory of the pool; a large message keeps its
   * memory. Each kind has an account.
   */
  final class Holding {

    private final String stream;
    private final LoanAccount copied;
    private final LoanAccount landed;

    private Holding(String stream) {
      this.stream = stream;
      String report =
          "a message of stream '" + stream + "' was dropped without close(): close every message,"
              + " and put doOnDiscard(Message.class, Message::close) behind operators that drop values";
      // The hook of the pool wakes waiting streams.
      this.copied = new LoanAccount(report, () -> {});
      // Returns no memory to the pool, but its stream may now be without messages.
      this.landed = new LoanAccount(report, Messages.this::wakeWaiting);
    }

    /** Returns the message of a frame, held from now on. Engine thread. */
    Message own(ReceivedFrame frame) {
      var headers = Metadatas.decode(frame).headers();
      PooledBuffer memory = frame.takePayload();
      return memory == null
          ? PooledMessage.copyOf(stream, headers, frame.body(), pool, copied)
          : PooledMessage.owning(stream, headers, memory, landed);
    }

    /** Whether any message is neither closed, collected nor released. Any thread. */
    boolean isInUse() {
      return copied.isInUse() || landed.isInUse();
    }

    /**
     * Removes all messages, including later ones, from the budgets. They stay readable, and the garbage collector
     * frees their memory. Any thread.
     */
    void writeOff() {
      copied.writeOff();
      landed.writeOff();
    }

    /** The stream failed, so operators drop queued messages. Any thread. */
    void expectDrops() {
      copied.expectDrops();
      landed.expectDrops();
    }
  }

  /** Returns the memory of messages that are neither closed nor released, without large ones. */
  public long outstandingBytes() {
    return pool.outstandingBytes();
  }

  public void close() {
    pool.close();
  }
}
