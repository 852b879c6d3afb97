package io.railflux.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Runs tasks submitted after the end of the engine thread, so that each caller gets its answer. The tasks run on the
 * callers' threads, one at a time: a caller that finds another caller at work leaves its task to that caller.
 *
 * <p>A task that submits its successor must not occupy a caller or the engine thread forever. An example is a
 * {@code retry()} of an operation that now always fails. After {@link #MAX_ROUNDS} rounds, the remaining tasks are
 * deferred.
 */
final class StandIn {

  /** Consecutive runs of the queue; more than any finite chain of operators needs. */
  static final int MAX_ROUNDS = 64;

  private final IntSupplier work;
  private final Consumer<Runnable> later;

  /**
   * Number of unserved calls. The engine thread has the first turn: no caller runs tasks before the engine thread has
   * left.
   */
  private final AtomicInteger turns = new AtomicInteger(1);

  private volatile Thread thread;

  /**
   * @param work runs the waiting tasks and returns their number
   * @param later runs its argument once, soon, on another thread
   */
  StandIn(IntSupplier work, Consumer<Runnable> later) {
    this.work = work;
    this.later = later;
  }

  /**
   * Takes over from the engine thread, which has left or never starts. Called by the engine thread, or by the thread
   * that abandons it.
   */
  void takeOver() {
    runWhatWaits(1);
  }

  /** Handles a task submitted after the end. Any thread. */
  void run() {
    if (turns.getAndIncrement() == 0) {
      runWhatWaits(1);
    }
  }

  @SuppressWarnings("ReferenceEquality") // Compared by identity.
  boolean isCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** @param turn number of calls served by this run so far */
  private void runWhatWaits(int turn) {
    int served = turn;
    int rounds = 0;
    while (served != 0) {
      if (runOnce() == 0) {
        served = turns.addAndGet(-served);
      } else if (++rounds == MAX_ROUNDS) {
        // The deferred run keeps the turn, so no other caller starts meanwhile.
        int kept = served;
        later.accept(() -> runWhatWaits(kept));
        return;
      }
    }
  }

  private int runOnce() {
    thread = Thread.currentThread();
    try {
      return work.getAsInt();
    } finally {
      thread = null;
    }
  }
}
