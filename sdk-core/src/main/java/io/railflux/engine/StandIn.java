package io.railflux.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what is handed over after the end of the engine thread, so that nobody waits for an answer in
 * vain: in the callers' threads, one at a time. Who is busy does the work of those who come meanwhile.
 */
final class StandIn {

  private final Runnable work;

  /** The engine thread has the first turn: nobody stands in for it before it has left. */
  private final AtomicInteger turns = new AtomicInteger(1);

  private volatile Thread thread;

  /** @param work runs everything that was handed over so far */
  StandIn(Runnable work) {
    this.work = work;
  }

  /** The engine thread has left; called by it, or by who abandons it before its start. */
  void takeOver() {
    runUntilNobodyCame();
  }

  /** Something was handed over after the end. Any thread. */
  void run() {
    if (turns.getAndIncrement() == 0) {
      runUntilNobodyCame();
    }
  }

  @SuppressWarnings("ReferenceEquality") // A thread is nobody but itself.
  boolean isCurrentThread() {
    return thread == Thread.currentThread();
  }

  private void runUntilNobodyCame() {
    int came = 1;
    do {
      thread = Thread.currentThread();
      work.run();
      thread = null;
      came = turns.addAndGet(-came);
    } while (came != 0);
  }
}
